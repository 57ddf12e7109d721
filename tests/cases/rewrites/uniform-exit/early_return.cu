// step: uniform-exit{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < 4; j++)
    y[i * 4 + j] = x[i];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ x, int n) {
  const int i_thread = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)(blockIdx.x * blockDim.x) >= n) return;
  const bool active = i_thread < n;
  const int i = active ? i_thread : n - 1;
  for (int j = 0; j < 4; j++)
    { if (active) y[i * 4 + j] = x[i]; }
}
