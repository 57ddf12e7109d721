// step: swizzle{site=k,rows=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  const unsigned int block_number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned int group_first = block_number / (4 * gridDim.x) * 4;
  const unsigned int group_rows = gridDim.y - group_first < 4 ? gridDim.y - group_first : 4;
  const unsigned int block_y = group_first + block_number % (4 * gridDim.x) % group_rows;
  const unsigned int block_x = block_number % (4 * gridDim.x) / group_rows;
  a[block_y * n + block_x] = 1.0f;
}
