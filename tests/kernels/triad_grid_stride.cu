// launch: 2 x 64
// arg: float* a 1000
// arg: float* b 1000
// arg: float* c 1000
// arg: float s 0.5
// arg: int n 1000
// r3c: kernel()
__global__ void triad(float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, float s, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    a[i] = b[i] + s * c[i];
  }
}
