// step: block-shape{site=k,x=64,y=1,z=1}
#define LANE (threadIdx.x % 32)
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = LANE;
}
//== refused 6:21 block-shape refused: what this does with the block's shape is not known
// hint: say geometry(cover) where any shape that covers the same indices is right
