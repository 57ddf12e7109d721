// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 1; j < w; j *= 2) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== refused 5:28 interchange refused: its head does not change the counter `j` by a fixed amount
