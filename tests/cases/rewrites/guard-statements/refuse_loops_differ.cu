// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < m[i]; j++) out[i] += a[j];
}
//== refused 5:3 guard-statements refused: no loop after this check can be run by all threads
