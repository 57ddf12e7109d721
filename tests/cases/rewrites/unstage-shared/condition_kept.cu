// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  if (n > 3) {
    t[threadIdx.x] = a[threadIdx.x];
    y[0] = 1.0f;
  }
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  if (n > 3) {
    y[0] = 1.0f;
  }
  __syncthreads();
  y[threadIdx.x] = a[threadIdx.x];
}
