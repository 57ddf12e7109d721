// launch: 4 x 128
// arg: float* out 500
// arg: float* in 500
// arg: float limit 0.3
// arg: int n 500
// r3c: kernel()
__global__ void copy_branch(float *__restrict__ out, const float *__restrict__ in, float limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = in[i];
    float r;
    if (v > limit) {
      r = v * 2.0f;
    } else {
      r = v - 1.0f;
    }
    out[i] = r;
  }
}
