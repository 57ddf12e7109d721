// launch: 2 x 64
// arg: float* y 100
// arg: float* a 5000
// arg: float* x 50
// arg: int rows 100
// arg: int cols 50
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void matvec(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float dot = 0.0f;
  for (int j = 0; j < cols; j++) {
    dot += a[row * cols + j] * x[j];
  }
  y[row] = dot;
}
