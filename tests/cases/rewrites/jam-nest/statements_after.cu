// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  for (int i = 0; i < n; i++) {
    float f = 0.0f;
    for (int j = 0; j < w; j++) {
      f += a[i * w + j] * b[j];
    }
    y[i] = f;
  }
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  {
    int i = 0;
    for (; i + 1 < n; i += 2) {
      float f = 0.0f;
      float f_1 = 0.0f;
      for (int j = 0; j < w; j++) {
        {
          f += a[i * w + j] * b[j];
        }
        {
          f_1 += a[(i + 1) * w + j] * b[j];
        }
      }
      y[i] = f;
      y[(i + 1)] = f_1;
    }
    for (; i < n; i++) {
      float f = 0.0f;
      for (int j = 0; j < w; j++) {
        f += a[i * w + j] * b[j];
      }
      y[i] = f;
    }
  }
}
