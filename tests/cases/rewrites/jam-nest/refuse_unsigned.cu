// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (unsigned i = 0; i < n; i++) {
    float f = a[i];
    for (int j = 0; j < w; j++) {
      s += f * b[j];
    }
  }
  y[threadIdx.x] = s;
}
//== refused 5:3 jam-nest refused: it does not count up with an int
