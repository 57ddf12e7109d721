// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
//== refused 6:3 drop-barriers refused: another thread's `t[63 - threadIdx.x]` may have to wait here
