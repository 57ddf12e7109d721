// step: grid-stride{site=k,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = blockIdx.x * blockDim.x + threadIdx.x;
}
//== refused 5:47 grid-stride refused: the x axis is used here too, not only in `i`
