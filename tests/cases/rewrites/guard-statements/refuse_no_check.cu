// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < w; j++) out[i] += a[j];
}
//== refused 3:114 guard-statements refused: no check at the outermost level leaves threads out
