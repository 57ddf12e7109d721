// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    float s = 0.0f;
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
    y[i] = s + y[i + 1];
  }
}
//== refused 9:5 unroll-and-jam refused: another iteration's `y[i + 1]` may meet this
