// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 1; k < w; k++) {
    y[k * n + i] = y[(k - 1) * n + i] + 1.0f;
  }
}
//== refused 7:20 overlapped-chunks refused: another iteration's `y[k * n + i]` may meet this
