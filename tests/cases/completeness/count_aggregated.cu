// launch: 4 x 128
// arg: int* count 1
// arg: float* in 500
// arg: int n 500
// steps: const-restrict{site=count_large/param:in},aggregate-atomics{site=count_large}
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void count_large(int *count, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(count, in[i] > 0.5f ? 1 : 0);
}
//== hand
__global__ void count_large(int *count, const float *__restrict__ in, int n) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&found, in[i] > 0.5f ? 1 : 0);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, found);
}
