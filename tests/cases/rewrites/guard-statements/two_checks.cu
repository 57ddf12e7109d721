// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (m[i] < 0 || a[i] > 1.0f) return;
  float s = 0.0f, first = a[i];
  #pragma unroll 4
  for (int j = 0; j < w; j++) {
    float x = a[j];
    s += x * first;
    s = s * 2.0f;
  }
  out[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  const bool active_2 = active && (m[i] >= 0 && !(a[i] > 1.0f));
  float s = 0.0f, first = active_2 ? a[i] : 0;
  #pragma unroll 4
  for (int j = 0; j < w; j++) {
    float x = active_2 ? a[j] : 0;
    s += x * first;
    s = s * 2.0f;
  }
  if (active_2) out[i] = s;
}
