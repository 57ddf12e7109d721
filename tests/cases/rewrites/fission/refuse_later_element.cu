// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = a[i + 1];
  }
}
//== refused 6:12 fission refused: `a[i]` may meet this in a later iteration
