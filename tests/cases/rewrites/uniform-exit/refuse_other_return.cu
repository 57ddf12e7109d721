// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] < 0.0f) return;
  y[i] = x[i];
}
//== refused 6:20 uniform-exit refused: another thread leaves early here
