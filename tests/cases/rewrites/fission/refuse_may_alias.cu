// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *a, float *b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = a[i];
  }
}
//== refused 6:5 fission refused: `a[i]` may meet this in a later iteration
