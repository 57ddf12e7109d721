// step: aggregate-atomics{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *total, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, a[i]);
  }
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *total, const float *a, int n) {
  __shared__ float total_block;
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) total_block = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&total_block, a[i]);
  }
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) atomicAdd(total, total_block);
}
