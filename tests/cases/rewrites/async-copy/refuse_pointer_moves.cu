// step: async-copy{site=k/loop:first,stages=2}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[j];
    a++;
  }
  out[threadIdx.x] = s;
}
//== refused 8:73 async-copy refused: `a` may change
