// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = t[63 - threadIdx.x];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = a[63 + 64 * (int)blockIdx.x - (int)threadIdx.x];
}
