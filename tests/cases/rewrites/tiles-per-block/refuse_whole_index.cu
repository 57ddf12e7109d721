// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 b = blockIdx;
  if (i < n) y[i] = a[i] + b.x;
}
//== refused 5:12 tiles-per-block refused: blockIdx is used as a whole
