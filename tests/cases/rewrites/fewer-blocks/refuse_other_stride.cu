// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int i = blockIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a[i];
}
//== refused 4:3 fewer-blocks refused: it does not stride by what all blocks together cover
