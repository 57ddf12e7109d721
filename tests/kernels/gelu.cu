// launch: 4 x 128
// arg: float* out 500
// arg: float* in 500
// arg: int n 500
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void gelu(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    float v = in[i];
    out[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * pow(v, 3))));
  }
}
