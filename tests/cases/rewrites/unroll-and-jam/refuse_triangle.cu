// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    float s = 0.0f;
    for (int j = 0; j < i; j++) {
      s += a[i * w + j];
    }
    y[i] = s;
  }
}
//== refused 6:25 unroll-and-jam refused: the inner loop's head depends on `i`, which the outer loop changes
