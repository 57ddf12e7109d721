// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *p = a;
  for (int k = 0; k < w; k++) {
    y[k * n + i] = p[i];
    p += n;
  }
}
//== refused 9:5 overlapped-chunks refused: pointer `p` is handed on
