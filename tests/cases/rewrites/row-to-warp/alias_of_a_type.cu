// step: row-to-warp{site=k,block=64,lanes=8}
typedef double Real;
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  Real s = 0.0f;
  for (int j = 0; j < w; j++) s += a[row * w + j];
  y[row] = s;
}
//== expect
typedef double Real;
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  const int lane = threadIdx.x % 8;
  const unsigned lanes = 0xffu << (threadIdx.x % 32 - lane);
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  if (row >= n) return;
  Real s = 0.0f;
  Real s_lane = 0;
  for (int j = 0 + lane; j < w; j += 8) s_lane += a[row * w + j];
  for (int apart = 4; apart > 0; apart /= 2) s_lane += __shfl_xor_sync(lanes, s_lane, apart);
  s += s_lane;
  if (lane == 0) y[row] = s;
  __syncwarp(lanes);
}
//== launch block=64,1,1 threads_per_index=8,1,1
