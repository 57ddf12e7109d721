// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  y[threadIdx.x + 64] = y[63 - threadIdx.x];
}
//== refused 5:3 drop-barriers refused: another thread's `y[63 - threadIdx.x]` may have to wait here
