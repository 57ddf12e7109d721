// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  for (int i = 0; i < 3; i++) out[n + i] = in[i];
}
//== refused 4:3 vector-store refused: it does not run 2 or 4 times from 0
