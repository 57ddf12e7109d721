// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  if (n > 0) for (int i = 0; i < 4; i++) out[n + i] = in[i];
}
//== refused 4:14 vector-store refused: it stands without braces, so nothing can be put before it
