// step: stage-tile{site=k/loop:k,size=8,x=16,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[k] * i;
  }
  if (active) c[i] = s;
}
//== refused 3:1 stage-tile refused: 16 x 8 threads do not fit the axes that the kernel uses
