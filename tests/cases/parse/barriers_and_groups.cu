__global__ void k(int *a, float *x, int n) {
  __syncthreads();
  __syncwarp(0xffffffff);
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  auto warp = cg::tiled_partition<32>(block);
  cg::sync(block);
  grid.sync();
}
