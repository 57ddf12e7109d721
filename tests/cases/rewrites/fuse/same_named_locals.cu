// step: fuse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    float v = 1.0f;
    a[i] = v;
  }
  for (int j = 0; j < n; j++) {
    float v = 2.0f;
    b[j] = v;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    {
      float v = 1.0f;
      a[i] = v;
    }
    {
      float v = 2.0f;
      b[i] = v;
    }
  }
}
