// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== refused 4:31 fission refused: the body has no statement after the first 1
