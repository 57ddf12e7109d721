// launch: 4 x 64
// arg: float* out 256
// arg: float* in 256
// arg: int n 256
// r3c: kernel()
// r3c: geometry(cover)
__global__ void heat1d(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i > 0 && i < n ? in[i - 1] : 0.0f;
  float right = i < n - 1 ? in[i + 1] : 0.0f;
  if (i < n) out[i] = in[i] + 0.125f * (left - 2.0f * in[i] + right);
}
