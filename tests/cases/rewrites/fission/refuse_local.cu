// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    float v = a[i];
    b[i] = v;
  }
}
//== refused 6:12 fission refused: both parts use `v`, and one writes it
