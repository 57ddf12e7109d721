// step: register-tile{site=k,factor=2,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  if (active) y[i] = a[i];
}
//== refused 3:114 register-tile refused: no loop of it runs alike for neighbouring indices
