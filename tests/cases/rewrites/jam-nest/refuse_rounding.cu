// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    float f = a[i];
    for (int j = 0; j < w; j++) {
      s += f * b[j];
    }
  }
  y[threadIdx.x] = s;
}
//== refused 8:7 jam-nest refused: the order in which `s` is summed up changes its rounding, and the contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
