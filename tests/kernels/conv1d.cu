// launch: 4 x 128
// arg: float* out 500
// arg: float* in 520
// arg: float* taps 16
// arg: int n 500
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void conv1d(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ taps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int t = 0; t < 16; ++t) {
      sum += in[i + t] * taps[t];
    }
    out[i] = sum;
  }
}
