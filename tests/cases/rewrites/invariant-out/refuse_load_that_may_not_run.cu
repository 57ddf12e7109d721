// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, const float *b, float s, int n) {
  for (int i = 0; i < n; i++) {
    s += b[n];
  }
  a[0] = s;
}
//== refused 4:3 invariant-out refused: nothing in it is computed that is the same in all iterations
