// step: jam-nest{site=k/loop:i,factor=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < w; j++) {
      s += a[i] * b[j];
      __syncthreads();
    }
  }
  y[threadIdx.x] = s;
}
//== refused 8:7 jam-nest refused: threads work together here
