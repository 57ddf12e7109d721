// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = threadIdx.x;
}
//== refused 5:21 block-shape refused: the x index is used otherwise than as blockIdx * blockDim + threadIdx
// hint: say geometry(cover) where any shape that covers the same indices is right
