// launch: 2 x 32
// arg: double* out 1500
// arg: double* in 1500
// arg: int rows 50
// arg: int cols 30
// r3c: kernel(rtol=1e-10, atol=1e-10)
__global__ void rms_norm(double *out, const double *in, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double square = 0.0;
  for (int j = 0; j < cols; j++) {
    square += in[row * cols + j] * in[row * cols + j];
  }
  double scale = 1.0 / sqrt(square / cols + 1e-8);
  for (int j = 0; j < cols; j++) {
    out[row * cols + j] = in[row * cols + j] * scale / 3.0;
  }
}
