// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = 4 + threadIdx.x; j <= w; j += 32) m = fmaxf(m, a[n + j]);
  for (int j = 4 + threadIdx.x; j <= w; j += 32) y[j] = a[n + j] - m;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  float a_kept[8];
  #pragma unroll
  for (int turn = 0; turn < 8; turn++) {
    const int j = (4 + threadIdx.x) + turn * 32;
    if (j <= w) {
      a_kept[turn] = a[n + j];
      m = fmaxf(m, a_kept[turn]);
    }
  }
  for (int j = (4 + threadIdx.x) + 256; j <= w; j += 32) m = fmaxf(m, a[n + j]);
  #pragma unroll
  for (int turn = 0; turn < 8; turn++) {
    const int j = (4 + threadIdx.x) + turn * 32;
    if (j <= w) {
      y[j] = a_kept[turn] - m;
    }
  }
  for (int j = (4 + threadIdx.x) + 256; j <= w; j += 32) y[j] = a[n + j] - m;
}
