// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 v = ((const float2 *)a)[i];
  for (int j = 0; j < w; j++) out[i] += a[j] * v.x;
}
//== refused 6:14 guard-statements refused: `v` is set from memory or unknown code and is no plain number
