// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: freeze
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 5:3 unroll refused: this is frozen by its annotation
