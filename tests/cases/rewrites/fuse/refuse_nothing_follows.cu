// step: fuse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== refused 4:3 fuse refused: the statement after the loop is no for loop
