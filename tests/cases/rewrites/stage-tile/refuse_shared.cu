// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  __shared__ float half[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  half[threadIdx.x] = 0.5f;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[k] * i;
  }
  if (active) c[i] = s;
}
//== refused 4:20 stage-tile refused: shared memory `half` belongs to a block of one shape
