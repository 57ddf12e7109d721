// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < w; k++) y[k * n + i] = __shfl_xor_sync(0xffffffffu, a[k * n + i], 1);
}
//== refused 6:46 overlapped-chunks refused: what this does with other threads is not known
