// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[threadIdx.x] = a[threadIdx.x];
}
//== refused 3:1 fewer-blocks refused: no loop in it strides by the number of blocks along x
