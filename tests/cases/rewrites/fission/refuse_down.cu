// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = n; i > 0; i--) {
    a[i] = 1.0f;
    b[i] = 1.0f;
  }
}
//== refused 4:3 fission refused: it does not count up
