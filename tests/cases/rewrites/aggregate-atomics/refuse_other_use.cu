// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, a[i]);
  }
  if (n < 0) total[0] = 1;
}
//== refused 6:5 aggregate-atomics refused: `total` is used elsewhere too
