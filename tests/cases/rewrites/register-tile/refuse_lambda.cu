// step: register-tile{site=k,factor=2,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  auto square = [](float v) { return v * v; };
  for (int j = 0; j < w; j++) {
    if (active) y[i] += square(a[j]);
  }
}
//== refused 6:17 register-tile refused: what this does with the block's shape is not known
