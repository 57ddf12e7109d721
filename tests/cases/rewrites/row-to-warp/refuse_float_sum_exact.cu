// step: row-to-warp{site=k,block=64}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int j = 0; j < w; j++) y[row] += a[row * w + j];
}
//== refused 6:31 row-to-warp refused: two iterations may meet here
