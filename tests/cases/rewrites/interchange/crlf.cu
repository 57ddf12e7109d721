// step: interchange{site=k/loop:i}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int j = 0; j < w; j++) {
    for (int i = 0; i < h; i++) {
      b[i * w + j] = 1.0f;
    }
  }
}
