// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < i; k++) {
    if (active) s += a[k];
  }
  if (active) c[i] = s;
}
//== refused 7:23 stage-tile refused: this may differ between the threads of a block
