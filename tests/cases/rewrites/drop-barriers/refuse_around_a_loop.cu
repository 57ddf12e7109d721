// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  for (int k = 0; k < n; k++) {
    y[k * 64 + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
    t[threadIdx.x] = a[k * 64 + threadIdx.x];
  }
}
//== refused 7:5 drop-barriers refused: another thread's `t[threadIdx.x]` may have to wait here
