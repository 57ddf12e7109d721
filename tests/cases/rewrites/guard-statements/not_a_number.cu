// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(a[i] < 1.0f)) return;
  if (a[i] < 0.0f) return;
  float s = 0.0f;
  for (int j = 0; j < w; j++) s += a[j];
  out[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = (a[i] < 1.0f);
  const bool active_2 = active && (!(a[i] < 0.0f));
  float s = 0.0f;
  for (int j = 0; j < w; j++) if (active_2) s += a[j];
  if (active_2) out[i] = s;
}
