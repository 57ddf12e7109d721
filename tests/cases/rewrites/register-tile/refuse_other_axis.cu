// step: register-tile{site=k,factor=2,axis=y,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  for (int j = 0; j < w; j++) {
    if (active) y[i] += a[j];
  }
}
//== refused 3:1 register-tile refused: the kernel does not use the y axis, so threads along it would repeat work
