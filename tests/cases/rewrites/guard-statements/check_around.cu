// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0.0f;
    for (int j = 0; j < w; j++)
      for (int k = j; k < w; k++) s += a[j] * a[k];
    if (s > 0.0f) out[i] = s; else out[i] = 0.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  {
    float s = 0.0f;
    for (int j = 0; j < w; j++)
      if (active) for (int k = j; k < w; k++) s += a[j] * a[k];
    if (active) if (s > 0.0f) out[i] = s; else out[i] = 0.0f;
  }
}
