// step: swizzle{site=fill,rows=4,order=morton}
// r3c: kernel()
__global__ void fill(float *a, int w) {
  a[blockIdx.y * w + blockIdx.x] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void fill(float *a, int w) {
  const unsigned int block_number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned int group_first = block_number / (4 * gridDim.x) * 4;
  const unsigned int group_rows = gridDim.y - group_first < 4 ? gridDim.y - group_first : 4;
  const unsigned int in_group = block_number % (4 * gridDim.x);
  const unsigned int in_tile = in_group % 16;
  const unsigned int block_y = group_first + (group_rows == 4 && in_group < gridDim.x / 4 * 16 ? in_tile >> 1 & 1 | in_tile >> 2 & 2 : in_group % group_rows);
  const unsigned int block_x = group_rows == 4 && in_group < gridDim.x / 4 * 16 ? in_group / 16 * 4 + (in_tile & 1 | in_tile >> 1 & 2) : in_group / group_rows;
  a[block_y * w + block_x] = 1.0f;
}
