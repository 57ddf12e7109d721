// step: row-to-warp{site=k,block=64}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int j = 0; j < w; j++) y[row * w + j] = a[row * w + j] * 2.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  const int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n) return;
  for (int j = 0 + lane; j < w; j += 32) y[row * w + j] = a[row * w + j] * 2.0f;
  __syncwarp();
}
//== launch block=64,1,1 threads_per_index=32,1,1
