// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 1)
    for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
      a[i + n] = 1.0f;
  }
}
//== refused 5:5 fission refused: it stands without braces, so no second loop can follow it
