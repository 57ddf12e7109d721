// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < a[2]; j++) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== refused 6:7 interchange refused: `a[2]`, which the loop's head depends on, may change in the loop
