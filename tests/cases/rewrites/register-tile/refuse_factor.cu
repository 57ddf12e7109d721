// step: register-tile{site=k,factor=32,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  for (int j = 0; j < w; j++) {
    if (active) y[i] += a[j];
  }
}
//== refused 3:114 register-tile refused: 32 outputs a thread are not 2 to 16
