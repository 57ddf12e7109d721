// step: coarsen{site=k,factor=2},coarsen{site=k,factor=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 6:9 coarsen refused: the x index is used otherwise than as blockIdx * blockDim + threadIdx
