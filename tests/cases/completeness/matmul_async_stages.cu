// launch: 3,3 x 16,16
// arg: float* c 1600
// arg: float* a 1600
// arg: float* b 1600
// arg: int n 40
// steps: guard-statements{site=matmul},stage-tile{site=matmul/loop:k,size=8,x=16,y=16},async-copy{site=matmul/loop:k_tile,stages=3}
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
//== hand block=16,16,1
#include <cuda_pipeline.h>
__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float acc = 0.0f;
  __shared__ float as[3][16][8];
  __shared__ float bs[3][8][16];
  const int me = threadIdx.y * 16 + threadIdx.x;
  for (int s = 0; s < 2; s++) {
    if (s * 8 < n) {
      for (int e = me; e < 128; e += 256) {
        const int r = blockIdx.y * 16 + e / 8, k = s * 8 + e % 8;
        if (r < n && k < n) __pipeline_memcpy_async(&as[s][e / 8][e % 8], &a[r * n + k], sizeof(float));
      }
      for (int e = me; e < 128; e += 256) {
        const int k = s * 8 + e / 16, q = blockIdx.x * 16 + e % 16;
        if (k < n && q < n) __pipeline_memcpy_async(&bs[s][e / 16][e % 16], &b[k * n + q], sizeof(float));
      }
    }
    __pipeline_commit();
  }
  for (int k0 = 0, i = 0; k0 < n; k0 += 8, i++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    if (k0 + 16 < n) {
      const int s = (i + 2) % 3;
      for (int e = me; e < 128; e += 256) {
        const int r = blockIdx.y * 16 + e / 8, k = k0 + 16 + e % 8;
        if (r < n && k < n) __pipeline_memcpy_async(&as[s][e / 8][e % 8], &a[r * n + k], sizeof(float));
      }
      for (int e = me; e < 128; e += 256) {
        const int k = k0 + 16 + e / 16, q = blockIdx.x * 16 + e % 16;
        if (k < n && q < n) __pipeline_memcpy_async(&bs[s][e / 16][e % 16], &b[k * n + q], sizeof(float));
      }
    }
    __pipeline_commit();
    for (int k = 0; k < 8 && k0 + k < n; k++) {
      if (y < n && x < n) acc += as[i % 3][threadIdx.y][k] * bs[i % 3][k][threadIdx.x];
    }
  }
  if (y < n && x < n) c[y * n + x] = acc;
}
