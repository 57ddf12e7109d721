// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[threadIdx.x] = a[threadIdx.x];
}
//== refused 3:85 drop-barriers refused: it has no barrier that stands alone
