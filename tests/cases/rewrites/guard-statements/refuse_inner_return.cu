// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < w; j++) out[i] += a[j];
  if (a[i] > 0.0f) { out[i] = 0.0f; return; }
  out[i] *= 2.0f;
}
//== refused 7:37 guard-statements refused: it returns from inside another statement
