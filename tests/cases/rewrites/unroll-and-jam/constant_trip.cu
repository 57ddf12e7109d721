// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < 4; i++) {
    float s = 0.0f;
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
    y[i] = s;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i + 1 < 4; i += 2) {
    float s = 0.0f;
    float s_1 = 0.0f;
    for (int j = 0; j < w; j++) {
      {
        s += a[i * w + j];
      }
      {
        s_1 += a[(i + 1) * w + j];
      }
    }
    y[i] = s;
    y[i + 1] = s_1;
  }
}
