// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q[4];
  for (int k = 0; k < w; k++) {
    q[k % 4] = a[k * n + i];
    y[k * n + i] = q[0] + q[1];
  }
}
//== refused 8:7 overlapped-chunks refused: other iterations write other elements of `q`
