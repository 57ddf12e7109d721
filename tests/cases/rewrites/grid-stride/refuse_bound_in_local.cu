// step: grid-stride{site=k,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int m = a[0];
  if (i < m) a[i] = 0.0f;
}
//== refused 6:11 grid-stride refused: the bound is not made of parameters and constants
