// step: swizzle{site=fill,rows=6,order=morton}
// r3c: kernel()
__global__ void fill(float *a, int w) {
  a[blockIdx.y * w + blockIdx.x] = 1.0f;
}
//== refused 3:39 swizzle refused: Morton order needs a power of two rows, not 6
