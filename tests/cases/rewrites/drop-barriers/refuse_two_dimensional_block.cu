// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.y];
  __syncthreads();
  y[threadIdx.y] = t[threadIdx.x];
}
//== refused 6:3 drop-barriers refused: another thread's `t[threadIdx.x]` may have to wait here
