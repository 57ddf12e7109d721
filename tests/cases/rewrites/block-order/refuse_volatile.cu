// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(volatile int *flag, int n) {
  flag[blockIdx.y * n + blockIdx.x] = 1;
}
//== refused 4:3 block-order refused: blocks may wait for each other at volatile memory
