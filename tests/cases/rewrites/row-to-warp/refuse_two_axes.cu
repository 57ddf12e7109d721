// step: row-to-warp{site=k,block=64}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && c < w) y[row * w + c] = 1.0f;
}
//== refused 3:1 row-to-warp refused: it uses more axes than x
