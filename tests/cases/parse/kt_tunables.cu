#ifndef BLOCK_X
#define BLOCK_X 32
#endif
__global__ void k(float *x) {
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
#pragma unroll BLOCK_X
  for (int j = 0; j < BLOCK_X; j++) x[i] += j;
}
