// step: row-to-warp{site=k,block=64}
// r3c: kernel()
__global__ void k(int *__restrict__ y, const int *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    int s = 0;
    for (int j = 0; j < w; j++) s += a[row * w + j];
    if (s > 3) y[row] = s;
  }
}
//== expect
// r3c: kernel()
__global__ void k(int *__restrict__ y, const int *__restrict__ a, int n, int w) {
  const int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row < n) {
    int s = 0;
    int s_lane = 0;
    for (int j = 0 + lane; j < w; j += 32) s_lane += a[row * w + j];
    for (int apart = 16; apart > 0; apart /= 2) s_lane += __shfl_xor_sync(0xffffffffu, s_lane, apart);
    s += s_lane;
    if (s > 3) { if (lane == 0) y[row] = s; __syncwarp(); }
  }
}
//== launch block=64,1,1 threads_per_index=32,1,1
