// step: stage-halo{site=k/param:in,x=32,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < 2) && x < w - 2 && y >= 2 && y < h - 2) {
    float s = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
      for (int dx = -2; dx <= 2; dx += 2) {
        s += in[(y - dy) * w + x + dx];
      }
    }
    out[y * w + x] = s;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float in_tile[12][36];
  const int block_x = blockIdx.x * 32;
  const int first_x = max(0, 2 - block_x);
  const int last_x = min(31, (w - 2) - 1 - block_x);
  const int block_y = blockIdx.y * 8;
  const int first_y = max(0, 2 - block_y);
  const int last_y = min(7, (h - 2) - 1 - block_y);
  for (int t = threadIdx.y * 32 + threadIdx.x; t < 432; t += 256) {
    const int tile_x = t % 36;
    const int tile_y = t / 36 - 4;
    const int dx = -2;
    const int dy = -2;
    const int x = blockIdx.x * blockDim.x + tile_x;
    const int y = blockIdx.y * blockDim.y + tile_y;
    if (first_x <= last_x && first_y <= last_y && (tile_y >= first_y - 4 && tile_y <= last_y && tile_x >= first_x && tile_x <= last_x + 4)) in_tile[t / 36][t % 36] = in[(y - dy) * w + x + dx];
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < 2) && x < w - 2 && y >= 2 && y < h - 2) {
    float s = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
      for (int dx = -2; dx <= 2; dx += 2) {
        s += in_tile[threadIdx.y + 2 - dy][threadIdx.x + 2 + dx];
      }
    }
    out[y * w + x] = s;
  }
}
//== launch block=32,8,1
