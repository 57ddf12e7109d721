// launch: 2,2 x 16,16
// arg: float* out 900
// arg: float* in 900
// arg: int w 30
// arg: int h 30
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void bilateral(float *out, const float *in, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float center = in[y * w + x];
  float sum = 0.0f, norm = 0.0f;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      int xx = min(max(x + dx, 0), w - 1);
      int yy = min(max(y + dy, 0), h - 1);
      float v = in[yy * w + xx];
      float g = expf(-(dx * dx + dy * dy) * 0.125f - (v - center) * (v - center));
      sum += g * v;
      norm += g;
    }
  }
  out[y * w + x] = sum / norm;
}
