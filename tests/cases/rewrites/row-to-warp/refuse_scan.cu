// step: row-to-warp{site=k,block=64}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    s += a[row * w + j];
    y[row * w + j] = s;
  }
}
//== refused 8:5 row-to-warp refused: `s` is handed from one iteration to the next
