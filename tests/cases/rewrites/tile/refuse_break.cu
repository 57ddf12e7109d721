// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0f) break;
  }
}
//== refused 5:22 tile refused: the loop body leaves early with `break`
