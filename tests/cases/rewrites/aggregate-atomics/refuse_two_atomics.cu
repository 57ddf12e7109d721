// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, a[i]);
  }
  atomicAdd(total, 1);
}
//== refused 3:52 aggregate-atomics refused: it does not have exactly one atomic operation, an atomicAdd
