// launch: 2 x 64
// arg: float* y 100
// arg: int* row_start 101 ramp 5
// arg: int* col 500 below 80
// arg: float* val 500
// arg: float* x 80
// arg: int rows 100
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void spmv_csr(float *__restrict__ y, const int *__restrict__ row_start, const int *__restrict__ col,
                         const float *__restrict__ val, const float *__restrict__ x, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; k++) {
      sum += val[k] * x[col[k]];
    }
    y[row] = sum;
  }
}
