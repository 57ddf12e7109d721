// step: stage-halo{site=k/param:in,x=32,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  out[y * w + x] = in[y * w + x] - 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float in_tile[10][34];
  const int block_x = blockIdx.x * 32;
  const int first_x = max(0, 1 - block_x);
  const int last_x = min(31, (w - 1) - 1 - block_x);
  const int block_y = blockIdx.y * 8;
  const int first_y = max(0, 1 - block_y);
  const int last_y = min(7, (h - 1) - 1 - block_y);
  for (int t = threadIdx.y * 32 + threadIdx.x; t < 340; t += 256) {
    const int tile_x = t % 34 - 1;
    const int tile_y = t / 34 - 1;
    const int x = blockIdx.x * blockDim.x + tile_x;
    const int y = blockIdx.y * blockDim.y + tile_y;
    if (first_x <= last_x && first_y <= last_y && ((tile_y >= first_y - 1 && tile_y <= last_y - 1 && tile_x >= first_x && tile_x <= last_x) || (tile_y >= first_y && tile_y <= last_y && tile_x >= first_x - 1 && tile_x <= last_x + 1) || (tile_y >= first_y + 1 && tile_y <= last_y + 1 && tile_x >= first_x && tile_x <= last_x))) in_tile[t / 34][t % 34] = in[y * w + x];
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  out[y * w + x] = in_tile[threadIdx.y + 1][threadIdx.x + 1] - 0.25f * (in_tile[threadIdx.y + 1][threadIdx.x] + in_tile[threadIdx.y + 1][threadIdx.x + 2] + in_tile[threadIdx.y][threadIdx.x + 1] + in_tile[threadIdx.y + 2][threadIdx.x + 1]);
}
//== launch block=32,8,1
