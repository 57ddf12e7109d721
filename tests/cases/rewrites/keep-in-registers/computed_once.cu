// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = 0; j < w; j++) {
    y[j] = expf(a[j] * 2.0f);
  }
  for (int j = 0; j < w; j++) {
    y[n + j] = expf(a[j] * 2.0f) + 1.0f;
  }
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
      a_kept[turn] = expf(a[j] * 2.0f);
      y[j] = a_kept[turn];
    }
  }
  for (int j = 8; j < w; j++) {
    y[j] = expf(a[j] * 2.0f);
  }
  #pragma unroll
  for (int turn = 0; turn < 8; turn++) {
    const int j = turn;
    if (j < w) {
      y[n + j] = a_kept[turn] + 1.0f;
    }
  }
  for (int j = 8; j < w; j++) {
    y[n + j] = expf(a[j] * 2.0f) + 1.0f;
  }
}
