// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < w; k++) {
    y[k * n + i] = s;
    s = a[k * n + i];
  }
  y[i] = s;
}
//== refused 11:3 overlapped-chunks refused: this write outside the loop would be repeated by every chunk
