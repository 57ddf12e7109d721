// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0.0f;
  if (i < n) a[i] = t[0];
}
//== refused 4:20 block-shape refused: shared memory `t` belongs to a block of one shape
// hint: say geometry(cover) where any shape that covers the same indices is right
