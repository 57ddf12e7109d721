// launch: 2,2 x 16,16
// arg: float* c 1024
// arg: float* a 1024
// arg: float* b 1024
// arg: int n 32
#define TILE 16
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void matmul_tiled(float *c, const float *a, const float *b, int n) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0.0f;
  for (int t = 0; t < n / TILE; t++) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}
