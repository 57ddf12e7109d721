// step: expand-macros{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[2][64];
  #define OLD(i) t[now][i]
  int now = 0;
  OLD(threadIdx.x) = a[threadIdx.x];
  y[threadIdx.x] = OLD(threadIdx.x);
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[2][64];
  #define OLD(i) t[now][i]
  int now = 0;
  t[now][threadIdx.x] = a[threadIdx.x];
  y[threadIdx.x] = t[now][threadIdx.x];
}
