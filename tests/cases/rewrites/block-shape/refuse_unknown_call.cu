// step: block-shape{site=k,x=64,y=1,z=1}
__device__ void act(float *p);
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) act(a + i);
}
//== refused 6:14 block-shape refused: what this does with the block's shape is not known
// hint: say geometry(cover) where any shape that covers the same indices is right
