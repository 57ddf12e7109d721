// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0f) continue;
    a[i] = 1.0f;
  }
}
//== refused 5:22 unroll refused: the loop body leaves early with `continue`
