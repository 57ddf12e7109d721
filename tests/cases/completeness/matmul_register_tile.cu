// launch: 3,3 x 16,16
// arg: float* c 1600
// arg: float* a 1600
// arg: float* b 1600
// arg: int n 40
// steps: guard-statements{site=matmul},register-tile{site=matmul,factor=2,axis=y,order=neighbours},stage-tile{site=matmul/loop:k,size=8,x=16,y=8}
// r3c: kernel()
__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}
//== hand block=16,8,1 indices_per_thread=1,2,1
__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = (blockIdx.y * 8 + threadIdx.y) * 2;
  const bool even = x < n && y < n, odd = x < n && y + 1 < n;
  float upper = 0.0f, lower = 0.0f;
  __shared__ float a_even[8][8];
  __shared__ float b_even[8][16];
  __shared__ float a_odd[8][8];
  __shared__ float b_odd[8][16];
  for (int k0 = 0; k0 < n; k0 += 8) {
    __syncthreads();
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 64; e += 128) {
      const int r = (blockIdx.y * 8 + e / 8) * 2, k = k0 + e % 8;
      if (r < n && k < n) a_even[e / 8][e % 8] = a[r * n + k];
    }
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 128; e += 128) {
      const int q = blockIdx.x * 16 + e % 16, k = k0 + e / 16;
      if (q < n && k < n) b_even[e / 16][e % 16] = b[k * n + q];
    }
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 64; e += 128) {
      const int r = (blockIdx.y * 8 + e / 8) * 2 + 1, k = k0 + e % 8;
      if (r < n && k < n) a_odd[e / 8][e % 8] = a[r * n + k];
    }
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 128; e += 128) {
      const int q = blockIdx.x * 16 + e % 16, k = k0 + e / 16;
      if (q < n && k < n) b_odd[e / 16][e % 16] = b[k * n + q];
    }
    __syncthreads();
    for (int k = 0; k < 8 && k0 + k < n; k++) {
      if (even) upper += a_even[threadIdx.y][k] * b_even[k][threadIdx.x];
      if (odd) lower += a_odd[threadIdx.y][k] * b_odd[k][threadIdx.x];
    }
  }
  if (even) c[y * n + x] = upper;
  if (odd) c[(y + 1) * n + x] = lower;
}
