// step: block-shape{site=k,x=64,y=4,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 3:1 block-shape refused: the kernel does not use the y axis, so threads along it would repeat work
// hint: say geometry(cover) where any shape that covers the same indices is right
