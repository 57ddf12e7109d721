// launch: 4 x 128
// arg: float* out 500
// arg: float* in 500
// arg: int n 500
// steps: pow-to-mul{site=poly},fma{site=poly},grid-stride{site=poly,factor=2}
// r3c: kernel(rtol=1e-5, atol=1e-5)
__global__ void poly(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = in[i];
    out[i] = powf(x, 3.0f) * 0.5f + x;
  }
}
//== hand indices_per_thread=2,1,1
__global__ void poly(float *__restrict__ out, const float *__restrict__ in, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (i < n) {
      const float v = in[i];
      out[i] = fmaf(v * v * v, 0.5f, v);
    }
  }
}
