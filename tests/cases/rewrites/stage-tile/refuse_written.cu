// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *c, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  for (int k = 0; k < n; k++) {
    if (active) c[i] += a[k];
  }
}
//== refused 6:31 stage-tile refused: no iteration reads an element that several threads of a block read, under upper bounds alone
