// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&total[a[i]], a[i]);
  }
}
//== refused 6:15 aggregate-atomics refused: the place is not the same for all threads of a block
