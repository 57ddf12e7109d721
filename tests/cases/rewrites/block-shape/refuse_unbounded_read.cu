// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i + 1];
  if (i < n) a[i] = v;
}
//== refused 5:13 block-shape refused: this read is not under an upper bound on the x index
// hint: say geometry(cover) where any shape that covers the same indices is right
