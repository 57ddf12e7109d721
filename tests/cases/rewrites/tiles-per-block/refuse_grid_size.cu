// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] + gridDim.x;
}
//== refused 5:28 tiles-per-block refused: it depends on the number of blocks along x
