// launch: 2 x 32
// arg: int* best 50
// arg: float* in 2000
// arg: int rows 50
// arg: int cols 40
// r3c: kernel()
__global__ void argmax_rows(int *best, const float *in, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  int where = 0;
  float top = in[row * cols];
  for (int j = 1; j < cols; j++) {
    float v = in[row * cols + j];
    if (v > top) {
      top = v;
      where = j;
    }
  }
  best[row] = where;
}
