// step: async-copy{site=k/loop:first,stages=2}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  if (threadIdx.x > n) return;
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[j];
  }
  out[threadIdx.x] = s;
}
//== refused 7:3 async-copy refused: not all threads of a block reach the loop together
