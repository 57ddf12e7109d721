// step: row-to-warp{site=k,block=64}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float t[4];
  for (int j = 0; j < w; j++) {
    t[j % 4] = a[row * w + j];
    y[row * w + j] = 1.0f;
  }
  y[row] = t[0];
}
//== refused 8:5 row-to-warp refused: `t` is written here and kept by each lane alone
