// step: coarsen{site=k,factor=4,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 0.0f;
}
//== refused 5:3 coarsen refused: this write is not under an upper bound on the x index
