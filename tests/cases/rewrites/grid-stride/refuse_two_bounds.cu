// step: grid-stride{site=k,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
  if (i < n + 1) a[i + n] = 0.0f;
}
//== refused 3:36 grid-stride refused: no one condition `i < bound` guards all effects
