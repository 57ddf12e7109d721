// launch: 2 x 32
// arg: float* out 1000
// arg: float* in 1200
// arg: int n 50
// arg: int len 20
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void fir_window(float *out, const float *in, int n, int len) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < n) {
    float window[4];
    for (int t = 0; t < 4; t++) window[t] = in[c * (len + 4) + t];
    for (int s = 0; s < len; s++) {
      out[c * len + s] = 0.4f * window[0] + 0.3f * window[1] + 0.2f * window[2] + 0.1f * window[3];
      window[0] = window[1];
      window[1] = window[2];
      window[2] = window[3];
      window[3] = in[c * (len + 4) + s + 4];
    }
  }
}
