// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < i; j++) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== refused 5:25 interchange refused: the inner loop's bounds depend on `i`, which the outer loop changes
