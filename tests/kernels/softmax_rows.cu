// launch: 2 x 32
// arg: float* out 2000
// arg: float* in 2000
// arg: int rows 50
// arg: int cols 40
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void softmax_rows(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float largest = in[row * cols];
  for (int j = 1; j < cols; j++) {
    largest = fmaxf(largest, in[row * cols + j]);
  }
  float total = 0.0f;
  for (int j = 0; j < cols; j++) {
    total += expf(in[row * cols + j] - largest);
  }
  for (int j = 0; j < cols; j++) {
    out[row * cols + j] = expf(in[row * cols + j] - largest) / total;
  }
}
