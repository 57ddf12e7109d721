// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = w; k > 0; k--) y[k * n + i] = a[k * n + i];
}
//== refused 6:19 overlapped-chunks refused: it does not count up to a bound with < or <=
