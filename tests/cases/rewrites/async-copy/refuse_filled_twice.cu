// step: async-copy{site=k/loop:first,stages=2}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 32; t += blockDim.x) tile[t] = a[first + t];
    for (int t = threadIdx.x; t < 32; t += blockDim.x) tile[t + 32] = a[first + t + 32];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[j];
  }
  out[threadIdx.x] = s;
}
//== refused 9:56 async-copy refused: `tile` is filled twice
