// step: unroll-and-jam{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int h, int w) {
  float t = 0.0f;
  for (int i = 0; i < h; i++) {
    float s = 0.0f;
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
    t += s;
  }
  y[0] = t;
}
//== refused 10:5 unroll-and-jam refused: `t` is handed from one iteration to the next
