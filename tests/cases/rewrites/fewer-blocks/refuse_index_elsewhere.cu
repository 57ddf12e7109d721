// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x;
  y[i] = a[i];
}
//== refused 4:11 fewer-blocks refused: this is used otherwise than by a loop that strides by the number of blocks
