// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < a[0]; i++) {
    a[i] = 1.0f;
  }
}
//== refused 5:5 unroll refused: `a[0]`, which the loop's head depends on, may change in the loop
