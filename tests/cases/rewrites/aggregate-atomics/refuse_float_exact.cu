// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(float *total, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, a[i]);
  }
}
//== refused 6:5 aggregate-atomics refused: sums of type `float` may not be formed in another order
// hint: say kernel(rtol=...)
