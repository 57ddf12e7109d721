// step: drop-barriers{site=k}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  y[threadIdx.x] = t[threadIdx.x];
}
