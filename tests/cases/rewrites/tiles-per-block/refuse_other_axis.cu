// step: tiles-per-block{site=k,count=4,axis=y}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i];
}
//== refused 3:1 tiles-per-block refused: it has no block index along y
