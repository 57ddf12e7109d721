// launch: 1 x 64
// arg: float* y 640
// arg: float* a 2000
// arg: float* x 2000
// arg: int n 64
// steps: unroll-and-jam{site=products/loop:r,factor=2}
// r3c: kernel()
__global__ void products(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < 10; r++) {
    float s = 0.0f;
    for (int k = 0; k < 30; k++) {
      s += a[r * 64 + k] * x[k * 64 + i];
    }
    y[r * 64 + i] = s;
  }
}
//== hand
__global__ void products(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < 10; r += 2) {
    float one = 0.0f, two = 0.0f;
    for (int k = 0; k < 30; k++) {
      one += a[r * 64 + k] * x[k * 64 + i];
      two += a[r * 64 + 64 + k] * x[k * 64 + i];
    }
    y[r * 64 + i] = one;
    y[r * 64 + 64 + i] = two;
  }
}
