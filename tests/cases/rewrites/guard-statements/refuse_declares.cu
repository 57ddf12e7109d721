// step: guard-statements{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const int *__restrict__ m, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (int limit = w - i) {
    for (int j = 0; j < w; j++) out[i] += a[j] * limit;
  }
}
//== refused 5:7 guard-statements refused: the check declares a variable
