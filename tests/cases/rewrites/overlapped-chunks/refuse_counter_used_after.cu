// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k;
  for (k = 0; k < w; k++) y[k * n + i] = a[k * n + i];
  if (k == 3) return;
}
//== refused 7:3 overlapped-chunks refused: its counter `k` is used after it
