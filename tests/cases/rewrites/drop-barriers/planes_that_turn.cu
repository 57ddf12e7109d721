// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[3][64];
  int one, two, three, help;
  one = 0;
  two = 1;
  three = 2;
  t[one][threadIdx.x] = a[threadIdx.x];
  t[two][threadIdx.x] = a[threadIdx.x + 64];
  for (int k = 2; k < n; k++) {
    t[three][threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    y[k * 64 + threadIdx.x] = t[one][63 - threadIdx.x] + t[two][63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 3) y[threadIdx.x] = t[three][63 - threadIdx.x];
    __syncthreads();
    help = one; one = two; two = three; three = help;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[3][64];
  int one, two, three, help;
  one = 0;
  two = 1;
  three = 2;
  t[one][threadIdx.x] = a[threadIdx.x];
  t[two][threadIdx.x] = a[threadIdx.x + 64];
  for (int k = 2; k < n; k++) {
    t[three][threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    y[k * 64 + threadIdx.x] = t[one][63 - threadIdx.x] + t[two][63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 3) y[threadIdx.x] = t[three][63 - threadIdx.x];
    help = one; one = two; two = three; three = help;
  }
}
