// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  float s = 0.0f;
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
  }
  b[0] = s;
}
//== refused 7:7 interchange refused: the order in which `s` is summed up changes its rounding, and the contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
