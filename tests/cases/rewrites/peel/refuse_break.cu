// step: peel{site=k/loop:i,side=first}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 1.0f) break;
  }
}
//== refused 5:22 peel refused: the loop body leaves early with `break`
