// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a[i];
}
//== refused 5:10 tiles-per-block refused: this is not under an upper bound on the x index, which a last block may pass
