// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (int i = threadIdx.x; i < n; i += 2) {
    float f = a[i];
    for (int j = 0; j < w; j++) {
      s += f * b[j];
    }
  }
  y[threadIdx.x] = s;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  {
    int i = threadIdx.x;
    for (; i + 2 < n; i += 4) {
      float f = a[i];
      float f_1 = a[(i + 2)];
      for (int j = 0; j < w; j++) {
        {
          s += f * b[j];
        }
        {
          s += f_1 * b[j];
        }
      }
    }
    for (; i < n; i += 2) {
      float f = a[i];
      for (int j = 0; j < w; j++) {
        s += f * b[j];
      }
    }
  }
  y[threadIdx.x] = s;
}
