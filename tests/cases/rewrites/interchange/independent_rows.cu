// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      b[i * w + j] = a[j * h + i];
    }
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int j = 0; j < w; j++) {
    for (int i = 0; i < h; i++) {
      b[i * w + j] = a[j * h + i];
    }
  }
}
