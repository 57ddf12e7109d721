// step: fuse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    __syncthreads();
  }
  for (int j = 0; j < n; j++) {
    b[j] = 1.0f;
  }
}
//== refused 6:5 fuse refused: threads work together here
