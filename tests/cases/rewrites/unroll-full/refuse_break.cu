// step: unroll-full{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 4; i++) {
    if (a[i] > 0.0f) break;
  }
}
//== refused 5:22 unroll-full refused: the loop body leaves early with `break`
