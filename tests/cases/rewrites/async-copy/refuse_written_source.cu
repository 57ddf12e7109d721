// step: async-copy{site=k/loop:first,stages=2}
// r3c: kernel()
__global__ void k(float *out, float *a, int n) {
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) a[first + 64 + j] = s + tile[j];
  }
  out[threadIdx.x] = s;
}
//== refused 10:51 async-copy refused: this may write what `a[first + t]` reads ahead
