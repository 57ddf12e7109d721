// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    float f[2];
    f[0] = a[i];
    for (int j = 0; j < w; j++) {
      s += f[0] * b[j];
    }
  }
  y[threadIdx.x] = s;
}
//== refused 6:11 jam-nest refused: `f` is not a plain local
