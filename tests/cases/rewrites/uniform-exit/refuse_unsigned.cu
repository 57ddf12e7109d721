// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
}
//== refused 4:3 uniform-exit refused: the index `i` is no int
