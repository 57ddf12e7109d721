// launch: 4 x 256
// arg: float* y 1000
// arg: float* x 1000
// arg: float a 1.5
// arg: int n 1000
// r3c: kernel(saxpy)
// r3c: buffer(x, in)
__global__ void saxpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}
