// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 1.0f;
  if (i >= n) return;
  y[i] = v;
}
//== refused 5:3 uniform-exit refused: the index is not tested right after its declaration
