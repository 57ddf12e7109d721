// step: register-tile{site=k,factor=2,axis=x,order=neighbours}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  const int half = w / 2;
  float best[2] = {0.0f, 0.0f};
  #pragma unroll 2
  for (int j = 0; j < half; j++) {
    const float weight = x[j];
    for (int d = 0; d < 2; d++) {
      if (active) best[d] += a[i * w + j] * weight;
    }
    if (active) for (int d = 0; d < i; d++) best[0] += weight;
  }
  if (active) {
    float sum = best[0] + best[1];
    y[i] = sum;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * (blockDim.x * 2) + (threadIdx.x * 2);
  int i_1 = blockIdx.x * (blockDim.x * 2) + (threadIdx.x * 2 + 1);
  const bool active = i < h;
  const bool active_1 = i_1 < h;
  const int half = w / 2;
  float best[2] = {0.0f, 0.0f};
  float best_1[2] = {0.0f, 0.0f};
  #pragma unroll 2
  for (int j = 0; j < half; j++) {
    const float weight = x[j];
    const float weight_1 = x[j];
    for (int d = 0; d < 2; d++) {
      if (active) best[d] += a[i * w + j] * weight;
      if (active_1) best_1[d] += a[i_1 * w + j] * weight_1;
    }
    if (active) for (int d = 0; d < i; d++) best[0] += weight;
    if (active_1) for (int d = 0; d < i_1; d++) best_1[0] += weight_1;
  }
  if (active) {
    float sum = best[0] + best[1];
    y[i] = sum;
  }
  if (active_1) {
    float sum = best_1[0] + best_1[1];
    y[i_1] = sum;
  }
}
//== launch indices_per_thread=2,1,1
