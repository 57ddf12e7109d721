// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int limit = m[0];
  float s = 0.0f;
  for (int j = 0; j < limit; j++) s += a[j];
  for (int j = 0; j < w; j++) s += a[j];
  while (s > 1.0f) s *= 0.5f;
  out[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  int limit = active ? m[0] : 0;
  float s = 0.0f;
  if (active) for (int j = 0; j < limit; j++) s += a[j];
  for (int j = 0; j < w; j++) if (active) s += a[j];
  if (active) while (s > 1.0f) s *= 0.5f;
  if (active) out[i] = s;
}
