// step: stage-tile{site=k/loop:k,size=8,x=16,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool active = row < n && col < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[row * n + k] * b[k * n + col];
  }
  if (active) c[row * n + col] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool active = row < n && col < n;
  float s = 0.0f;
  __shared__ float a_tile[8][8];
  __shared__ float b_tile[8][16];
  for (int k_tile = 0; k_tile < n; k_tile += 8) {
    __syncthreads();
    for (int t = threadIdx.y * 16 + threadIdx.x; t < 64; t += 128) {
      const int k = k_tile + t % 8;
      const int col = blockIdx.x * blockDim.x + 0;
      const int row = blockIdx.y * blockDim.y + t / 8;
      if (k < n && row < n && col < n) a_tile[t / 8][t % 8] = a[row * n + k];
    }
    for (int t = threadIdx.y * 16 + threadIdx.x; t < 128; t += 128) {
      const int k = k_tile + t / 16;
      const int col = blockIdx.x * blockDim.x + t % 16;
      const int row = blockIdx.y * blockDim.y + 0;
      if (k < n && row < n && col < n) b_tile[t / 16][t % 16] = b[k * n + col];
    }
    __syncthreads();
    for (int k = k_tile; k < n && k < k_tile + 8; k++) {
      if (active) s += a_tile[threadIdx.y][k - k_tile] * b_tile[k - k_tile][threadIdx.x];
    }
  }
  if (active) c[row * n + col] = s;
}
//== launch block=16,8,1
