// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active && s < 9.0f) s += a[k];
  }
  if (active) c[i] = s;
}
//== refused 7:31 stage-tile refused: no iteration reads an element that several threads of a block read, under upper bounds alone
