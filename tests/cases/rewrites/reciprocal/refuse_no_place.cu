// step: reciprocal{site=k/loop:i}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *out, const float *in, float d, int n) {
  if (n > 0) for (int i = 0; i < n; i++) out[i] = in[i] / d;
}
//== refused 4:14 reciprocal refused: it stands without braces, so nothing can be put before it
