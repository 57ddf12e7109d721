// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    y[i] = 1.0f;
  }
}
//== refused 4:31 unroll-and-jam refused: the body does not hold exactly one inner loop
