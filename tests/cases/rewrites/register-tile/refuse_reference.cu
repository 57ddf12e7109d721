// step: register-tile{site=k,factor=2,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  float s = 0.0f;
  float &sum = s;
  for (int j = 0; j < w; j++) {
    if (active) sum += a[j];
  }
  if (active) y[i] = s;
}
//== refused 7:9 register-tile refused: `sum` is not a plain local
