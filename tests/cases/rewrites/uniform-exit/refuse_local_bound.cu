// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 100) return;
  y[i] = x[i];
}
//== refused 5:12 uniform-exit refused: the bound is no int parameter that stays the same
