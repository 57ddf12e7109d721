// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  {
    atomicAdd(total, a[i]);
  }
}
//== refused 5:15 aggregate-atomics refused: a thread that returns here would miss the barrier at the end
