// launch: 2 x 64
// arg: int* result 1
// arg: int* a 700 below 9
// arg: int* b 700 below 9
// arg: int n 700
// r3c: kernel()
__global__ void dot_grid_stride(int *result, const int *a, const int *b, int n) {
  int sum = 0;
  int start = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (int i = start; i < n; i += stride) {
    sum += a[i] * b[i];
  }
  atomicAdd(result, sum);
}
