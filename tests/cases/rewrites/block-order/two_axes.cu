// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  const unsigned int block_number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned int block_y = block_number % gridDim.y;
  const unsigned int block_x = block_number / gridDim.y;
  a[block_y * n + block_x] = 1.0f;
}
