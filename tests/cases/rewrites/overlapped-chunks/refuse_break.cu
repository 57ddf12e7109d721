// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < w; k++) {
    if (a[k] < 0.0f) break;
    y[k * n + i] = a[k * n + i];
  }
}
//== refused 7:22 overlapped-chunks refused: an iteration may leave early here
