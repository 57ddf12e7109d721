// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  for (int i = 0; i < 4; i++) {
    if (in[i] < 0.0f) break;
    out[n + i] = in[i];
  }
}
//== refused 5:23 vector-store refused: the loop body leaves early with `break`
