// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    n = n - 1;
  }
}
//== refused 6:5 unroll refused: `n`, which the loop's head depends on, may change in the loop
