// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < w; k++) {
    if (s > 0.0f) y[k * n + i] = s;
    s = a[k * n + i];
  }
}
//== refused 8:9 overlapped-chunks refused: what `s` holds decides here
