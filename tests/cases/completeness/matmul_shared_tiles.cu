// launch: 3,2 x 16,16
// arg: float* c 1640
// arg: float* a 1640
// arg: float* b 1600
// arg: int n 40
// steps: guard-statements{site=matmul},stage-tile{site=matmul/loop:k,size=16,x=16,y=16}
// r3c: kernel()
__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; k++) {
    sum += a[row * n + k] * b[k * n + col];
  }
  c[row * n + col] = sum;
}
//== hand block=16,16,1
__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float acc = 0.0f;
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  const int me = threadIdx.y * 16 + threadIdx.x;
  for (int k0 = 0; k0 < n; k0 += 16) {
    __syncthreads();
    for (int e = me; e < 16 * 16; e += 256) {
      const int r = blockIdx.y * 16 + e / 16, k = k0 + e % 16;
      if (r < n && k < n) as[e / 16][e % 16] = a[r * n + k];
    }
    for (int e = me; e < 16 * 16; e += 256) {
      const int k = k0 + e / 16, q = blockIdx.x * 16 + e % 16;
      if (k < n && q < n) bs[e / 16][e % 16] = b[k * n + q];
    }
    __syncthreads();
    const int last = min(16, n - k0);
    for (int k = 0; k < last; k++) {
      if (y < n && x < n) acc += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
  }
  if (y < n && x < n) c[y * n + x] = acc;
}
