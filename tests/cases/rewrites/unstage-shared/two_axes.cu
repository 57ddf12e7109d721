// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[18][18];
  int i = blockIdx.x * 16 + threadIdx.x;
  int j = blockIdx.y * 16 + threadIdx.y;
  t[threadIdx.y + 1][threadIdx.x + 1] = a[j * n + i];
  if (threadIdx.x == 0 && i > 0) {
    t[threadIdx.y + 1][threadIdx.x] = a[j * n + i - 1];
  }
  if (threadIdx.x == 15) t[threadIdx.y + 1][threadIdx.x + 2] = a[j * n + i + 1];
  __syncthreads();
  y[j * n + i] = t[threadIdx.y + 1][threadIdx.x] + t[threadIdx.y + 1][threadIdx.x + 2];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * 16 + threadIdx.x;
  int j = blockIdx.y * 16 + threadIdx.y;
  __syncthreads();
  y[j * n + i] = a[j * n + i - 1] + a[j * n + i + 1];
}
