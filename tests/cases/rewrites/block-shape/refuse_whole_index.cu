// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  uint3 t = threadIdx;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = t.x;
}
//== refused 4:13 block-shape refused: threadIdx is used as a whole
// hint: say geometry(cover) where any shape that covers the same indices is right
