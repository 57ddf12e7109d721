// launch: 4 x 128
// arg: float* out 500
// arg: float* x 500
// arg: float* coefficient 12
// arg: int n 500
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void horner(float *out, const float *x, const float *coefficient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    float p = coefficient[11];
    for (int c = 10; c >= 0; c--) {
      p = p * v + coefficient[c];
    }
    out[i] = p;
  }
}
