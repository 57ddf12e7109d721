// step: block-shape{site=k,x=512,y=1,z=1}
// r3c: kernel()
// r3c: where(block_size_x <= 256)
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 4:1 block-shape refused: the contract asks for block_size_x <= 256
