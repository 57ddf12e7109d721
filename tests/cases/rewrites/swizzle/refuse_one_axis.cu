// step: swizzle{site=k,rows=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[blockIdx.x] = 1.0f;
}
//== refused 3:36 swizzle refused: it does not use both blockIdx.x and blockIdx.y
