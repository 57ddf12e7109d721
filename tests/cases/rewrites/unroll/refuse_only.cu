// step: unroll{site=k/loop:main,factor=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: loop(main, only(tile))
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 5:3 unroll refused: its annotation allows only tile here
