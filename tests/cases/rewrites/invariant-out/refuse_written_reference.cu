// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, float *b, int n) {
  for (int i = 0; i < n; i++) {
    float &r = a[i];
    r = b[n] * 2.0f;
  }
}
//== refused 4:3 invariant-out refused: nothing in it is computed that is the same in all iterations
