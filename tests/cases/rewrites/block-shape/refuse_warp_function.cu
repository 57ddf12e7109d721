// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = __shfl_sync(0xffffffffu, 1.0f, 0);
}
//== refused 5:21 block-shape refused: threads of a block work together here
// hint: say geometry(cover) where any shape that covers the same indices is right
