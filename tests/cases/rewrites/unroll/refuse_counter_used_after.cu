// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i;
  for (i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
  a[0] = i;
}
//== refused 5:8 unroll refused: its counter `i` is declared outside the loop and may be used after it
