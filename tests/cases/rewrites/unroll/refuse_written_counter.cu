// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    i += 1;
  }
}
//== refused 6:5 unroll refused: the loop body writes its counter `i`
