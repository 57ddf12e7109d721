// step: swizzle{site=k,rows=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
  __threadfence();
}
//== refused 5:3 swizzle refused: blocks may wait for each other here
