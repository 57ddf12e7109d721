// step: fuse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
  for (int j = 0; j < n - 1; j++) {
    b[j] = 1.0f;
  }
}
//== refused 7:3 fuse refused: the second loop does not have the same start, bound and step
