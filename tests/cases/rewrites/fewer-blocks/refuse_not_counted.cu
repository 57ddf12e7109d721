// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    y[i] = a[i];
    n--;
  }
}
//== refused 6:5 fewer-blocks refused: `n`, which the loop's head depends on, may change in the loop
