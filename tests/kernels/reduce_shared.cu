// launch: 4 x 128
// arg: float* partial 4
// arg: float* in 500
// arg: int n 500
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void reduce_shared(float *partial, const float *in, int n) {
  __shared__ float cache[128];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  cache[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      cache[tid] += cache[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = cache[0];
}
