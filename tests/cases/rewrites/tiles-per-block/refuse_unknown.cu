// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mystery(i);
}
//== refused 5:21 tiles-per-block refused: what this does is not known
