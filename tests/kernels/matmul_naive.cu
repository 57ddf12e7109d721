// launch: 3,3 x 16,16
// arg: float* c 1600
// arg: float* a 1600
// arg: float* b 1600
// arg: int n 40
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void matmul_naive(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
      sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
  }
}
