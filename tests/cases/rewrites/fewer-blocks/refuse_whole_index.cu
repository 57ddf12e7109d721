// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  dim3 b = blockIdx;
  y[b.x] = 1.0f;
}
//== refused 4:12 fewer-blocks refused: blockIdx is used as a whole
