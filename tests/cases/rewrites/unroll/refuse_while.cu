// step: unroll{site=k/loop:while,factor=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  while (n > 0) {
    a[n--] = 1.0f;
  }
}
//== refused 4:3 unroll refused: this site is not a for loop
