// step: reciprocal{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *in, float d, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / d;
}
//== refused 3:1 reciprocal refused: it may change rounding and the kernel's contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
