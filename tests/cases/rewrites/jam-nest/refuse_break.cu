// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < w; j++) {
      s += a[i] * b[j];
    }
    if (s > 3.0f) break;
  }
  y[threadIdx.x] = s;
}
//== refused 9:19 jam-nest refused: the loop body leaves early with `break`
