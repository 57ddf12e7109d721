// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = n - 1; i >= 0; i--) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:23 unroll refused: it does not count up to a bound with < or <=
