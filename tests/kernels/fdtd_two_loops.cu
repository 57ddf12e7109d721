// launch: 2 x 32
// arg: float* e 2000
// arg: float* b 2000
// arg: float* c 2000
// arg: int rows 50
// arg: int cols 40
// r3c: kernel()
__global__ void fdtd_two_loops(float *__restrict__ e, float *__restrict__ b, const float *__restrict__ c, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < cols; j++) {
    e[r * cols + j] = c[r * cols + j] * 0.5f;
  }
  for (int j = 0; j < cols; j++) {
    b[r * cols + j] = e[r * cols + j] + c[r * cols + j];
  }
}
