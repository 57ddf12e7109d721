// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, float s, int n) {
  if (n > 1)
    for (int i = 0; i < n; i++) {
    a[i] = s * s;
  }
}
//== refused 5:5 invariant-out refused: it stands without braces, so nothing can be put before it
