// step: warp-reduce{site=k/loop:s}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s >= 1; s /= 2) {
    if (threadIdx.x < s) {
      part[threadIdx.x] = fmaxf(part[threadIdx.x + s], part[threadIdx.x]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  {
    unsigned int s = blockDim.x / 2;
    for (; s > 16; s /= 2) {
      if (threadIdx.x < s) {
        part[threadIdx.x] = fmaxf(part[threadIdx.x + s], part[threadIdx.x]);
      }
      __syncthreads();
    }
    if (threadIdx.x < 32) {
      float value = part[threadIdx.x];
      for (; s > 0; s /= 2) {
        const float other = __shfl_down_sync(0xffffffffu, value, s);
        if (threadIdx.x < s) value = fmaxf(other, value);
      }
      part[threadIdx.x] = value;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
