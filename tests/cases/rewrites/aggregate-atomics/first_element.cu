// step: aggregate-atomics{site=k}
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&total[0], a[i]);
  }
}
//== expect
// r3c: kernel()
__global__ void k(int *total, const int *a, int n) {
  __shared__ int total_block;
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) total_block = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&total_block, a[i]);
  }
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) atomicAdd(&total[0], total_block);
}
