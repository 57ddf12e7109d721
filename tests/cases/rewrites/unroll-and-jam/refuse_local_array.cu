// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    float s = 0.0f;
    float t[2];
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
    t[0] = s;
    y[i] = t[0];
  }
}
//== refused 6:11 unroll-and-jam refused: `t` is not a plain local
