// step: swizzle{site=k,rows=4}
// r3c: kernel()
__global__ void k(volatile int *flag) {
  flag[blockIdx.y] = blockIdx.x;
}
//== refused 4:3 swizzle refused: blocks may wait for each other at volatile memory
