// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int old = atomicAdd(total, a[i]);
  }
}
//== refused 6:15 aggregate-atomics refused: its result is used
