// launch: 2 x 32
// arg: float* out 3000
// arg: float* in 3000
// arg: int rows 60
// arg: int cols 50
// r3c: kernel()
__global__ void scan_row(float *out, const float *in, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float running = 0.0f;
    for (int c = 0; c < cols; c++) {
      running += in[r * cols + c];
      out[r * cols + c] = running;
    }
  }
}
