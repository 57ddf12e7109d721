// step: stage-tile{site=k/loop:k,size=8,x=16,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool active = row < n && col < n && col > 3;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[row * n + k];
  }
  if (active) c[row * n + col] = s;
}
//== refused 8:31 stage-tile refused: no iteration reads an element that several threads of a block read, under upper bounds alone
