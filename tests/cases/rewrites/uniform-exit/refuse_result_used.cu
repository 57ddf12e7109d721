// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = atomicAdd(&y[i], 1);
  old++;
}
//== refused 6:13 uniform-exit refused: this write stands inside a larger statement
