// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < w; j++) {
      y[j] = y[j] * a[i];
    }
  }
}
//== refused 6:7 jam-nest refused: another iteration's `y[j]` may meet this
