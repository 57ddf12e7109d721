// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  uint3 all = blockIdx;
  a[blockIdx.y * n + blockIdx.x] = all.x;
}
//== refused 4:15 block-order refused: blockIdx is used as a whole
