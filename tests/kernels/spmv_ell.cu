// launch: 2 x 64
// arg: float* y 100
// arg: int* col 700 below 80
// arg: float* val 700
// arg: float* x 80
// arg: int rows 100
// arg: int width 7
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void spmv_ell(float *y, const int *col, const float *val, const float *x, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int c = col[k * rows + row];
    if (c >= 0) sum += val[k * rows + row] * x[c];
  }
  y[row] = sum;
}
