// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int c = __syncthreads_count(n > 3);
  y[threadIdx.x] = c;
}
//== refused 3:85 drop-barriers refused: it has no barrier that stands alone
