// step: row-to-warp{site=k,block=64}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *y, const float *a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int j = 0; j < w; j++) y[row * w + j] = a[row * w + j];
}
//== refused 6:31 row-to-warp refused: two iterations may meet here
