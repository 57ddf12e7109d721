// launch: 4 x 128
// arg: float* call 500
// arg: float* spot 500
// arg: float* strike 500
// arg: int n 500
__device__ float normal_cdf(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f));
  return d > 0.0f ? 1.0f - c : c;
}

// r3c: kernel(rtol=1e-3, atol=1e-4)
__global__ void option_price(float *call, const float *spot, const float *strike, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 10.0f + spot[i];
    float x = 10.0f + strike[i];
    float d1 = (logf(s / x) + 0.07f) / 0.3f;
    float d2 = d1 - 0.3f;
    call[i] = s * normal_cdf(d1) - x * expf(-0.02f) * normal_cdf(d2);
  }
}
