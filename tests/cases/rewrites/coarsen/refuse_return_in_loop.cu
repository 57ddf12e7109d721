// step: coarsen{site=k,factor=4,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++) {
    if (i >= n) return;
    if (i < n) a[i] = 0.0f;
  }
}
//== refused 6:17 coarsen refused: it returns from inside a loop
