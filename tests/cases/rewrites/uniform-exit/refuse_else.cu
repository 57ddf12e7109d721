// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i];
  }
  n = 0;
}
//== refused 5:3 uniform-exit refused: the test is neither an early return nor the rest of the kernel in braces
