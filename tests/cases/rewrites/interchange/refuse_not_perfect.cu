// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    b[i] = 0.0f;
    for (int j = 0; j < w; j++) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== refused 4:31 interchange refused: the body is not exactly one inner loop
