// launch: 4 x 128
// arg: int* total 1
// arg: int* in 500 below 100
// arg: int n 500
// r3c: kernel()
__global__ void sum_atomic(int *total, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, in[i]);
  }
}
