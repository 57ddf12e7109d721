// launch: 2,2 x 16,16
// arg: int* c 1024
// arg: int* a 1024 below 50
// arg: int* b 1024 below 50
// arg: int n 32
// r3c: kernel()
__global__ void matmul_int(int *__restrict__ c, const int *__restrict__ a, const int *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) {
    int sum = 0;
    for (int k = 0; k < n; k++) {
      sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
  }
}
