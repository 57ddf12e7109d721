// step: uniform-exit{site=k},stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += x[j] - x[i];
  }
  y[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  const int i_thread = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)(blockIdx.x * blockDim.x) >= n) return;
  const bool active = i_thread < n;
  const int i = active ? i_thread : n - 1;
  float s = 0.0f;
  __shared__ float x_tile[128];
  for (int j_tile = 0; j_tile < n; j_tile += 128) {
    __syncthreads();
    for (int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); t < 128 && j_tile + t < n; t += blockDim.x * blockDim.y * blockDim.z) {
      x_tile[t] = x[(j_tile + t)];
    }
    __syncthreads();
    for (int j = j_tile; j < n && j < j_tile + 128; j++) {
      s += x_tile[j - j_tile] - x[i];
    }
  }
  if (active) y[i] = s;
}
