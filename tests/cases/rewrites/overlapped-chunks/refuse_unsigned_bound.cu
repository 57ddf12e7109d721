// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 1; k < threadIdx.x; k++) y[k * n + i] = a[k * n + i];
}
//== refused 6:8 overlapped-chunks refused: its counter is no int, or its bound is not signed
