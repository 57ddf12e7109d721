// step: row-to-warp{site=k,block=64,lanes=8}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  Real s = 0.0f;
  for (int j = 0; j < w; j++) s += a[row * w + j];
  y[row] = s;
}
//== refused 6:8 row-to-warp refused: values of type `Real` are not exchanged between lanes
