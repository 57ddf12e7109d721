// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 1; i < n; i *= 2) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:26 unroll refused: its head does not change the counter `i` by a fixed amount
