// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  for (int i = 0; i < 4; i++) out[n + i] = in[i];
}
//== refused 4:44 vector-store refused: this may lead to what `out[n + i]` writes
