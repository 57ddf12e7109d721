// step: reciprocal{site=k/loop:i}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *out, const float *in, float d, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / in[0];
}
//== refused 4:3 reciprocal refused: no floating-point division by a value that stays the same is in it
