// launch: 4 x 128
// arg: float* partial 4
// arg: float* in 500
// arg: int n 500
// steps: const-restrict{site=reduce/param:in},warp-reduce{site=reduce/loop:s}
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void reduce(float *partial, const float *in, int n) {
  __shared__ float cache[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
//== hand
__global__ void reduce(float *partial, const float *__restrict__ in, int n) {
  __shared__ float sums[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t < 32) {
    float sum = sums[t];
    for (int half = 16; half > 0; half /= 2) {
      const float there = __shfl_down_sync(0xffffffffu, sum, half);
      if (t < half) sum += there;
    }
    sums[t] = sum;
  }
  __syncthreads();
  if (t == 0) partial[blockIdx.x] = sums[0];
}
