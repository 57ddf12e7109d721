// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < w; j++) {
    if (i >= n) return;
    y[i] = a[j];
  }
}
//== refused 6:17 tiles-per-block refused: it returns from inside a loop
