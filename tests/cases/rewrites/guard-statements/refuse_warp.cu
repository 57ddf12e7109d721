// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int j = 0; j < w; j++) s += a[j];
  out[i] = __shfl_down_sync(0xffffffffu, s, 1);
}
//== refused 8:12 guard-statements refused: threads work together here
