// step: stage-tile{site=k/loop:k,size=128,x=256,y=4}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool active = row < n && col < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[row * n + k] * b[k * n + col];
  }
  if (active) c[row * n + col] = s;
}
//== refused 8:3 stage-tile refused: 133120 bytes more of shared memory are more than a block can have
