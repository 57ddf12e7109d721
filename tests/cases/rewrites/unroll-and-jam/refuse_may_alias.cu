// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *y, const float *a, int h, int w) {
  for (int i = 0; i < h; i++) {
    float s = 0.0f;
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
    y[i] = s;
  }
}
//== refused 9:5 unroll-and-jam refused: another iteration's `a[i * w + j]` may meet this
