// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i;
  for (i = 0; i < 4; i++) out[n + i] = in[i];
}
//== refused 5:8 vector-store refused: its counter `i` is declared outside the loop and may be used after it
