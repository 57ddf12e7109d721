// step: row-to-warp{site=k,block=64}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float m = a[row * w];
  for (int j = 1; j < w; j++) m = fmaxf(m, a[row * w + j]);
  y[row] = m;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  const int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n) return;
  float m = a[row * w];
  float m_lane = m;
  for (int j = 1 + lane; j < w; j += 32) m_lane = fmaxf(m_lane, a[row * w + j]);
  for (int apart = 16; apart > 0; apart /= 2) m_lane = fmaxf(m_lane, __shfl_xor_sync(0xffffffffu, m_lane, apart));
  m = m_lane;
  if (lane == 0) y[row] = m;
  __syncwarp();
}
//== launch block=64,1,1 threads_per_index=32,1,1
