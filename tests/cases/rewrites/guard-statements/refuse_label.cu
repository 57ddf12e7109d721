// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < w; j++) out[i] += a[j];
  again: out[i] += 1.0f;
}
//== refused 7:3 guard-statements refused: there is a label or goto here
