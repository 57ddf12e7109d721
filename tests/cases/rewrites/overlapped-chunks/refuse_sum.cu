// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < w; k++) {
    s += a[k * n + i];
    y[k * n + i] = s;
  }
}
//== refused 8:5 overlapped-chunks refused: `s` is handed from one iteration to the next
