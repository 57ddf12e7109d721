// step: row-to-warp{site=k,block=64}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  y[row] = a[row];
}
//== refused 3:85 row-to-warp refused: no loop in it can be spread over the lanes
