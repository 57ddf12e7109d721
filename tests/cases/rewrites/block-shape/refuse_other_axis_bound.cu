// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 0) a[i] = 0.0f;
}
//== refused 5:14 block-shape refused: this write is not under an upper bound on the x index
// hint: say geometry(cover) where any shape that covers the same indices is right
