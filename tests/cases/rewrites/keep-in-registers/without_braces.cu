// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = 0; j < w; j++) m = fmaxf(m, a[j]);
  for (int j = 0; j < w; j++) y[j] = a[j] - m;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  float a_kept[8];
  #pragma unroll
  for (int turn = 0; turn < 8; turn++) {
    const int j = turn;
    if (j < w) {
      a_kept[turn] = a[j];
      m = fmaxf(m, a_kept[turn]);
    }
  }
  for (int j = 8; j < w; j++) m = fmaxf(m, a[j]);
  #pragma unroll
  for (int turn = 0; turn < 8; turn++) {
    const int j = turn;
    if (j < w) {
      y[j] = a_kept[turn] - m;
    }
  }
  for (int j = 8; j < w; j++) y[j] = a[j] - m;
}
