// step: peel{site=k/loop:i,side=first}
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 1)
    for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== refused 5:5 peel refused: it stands without braces, so nothing can be put before it
