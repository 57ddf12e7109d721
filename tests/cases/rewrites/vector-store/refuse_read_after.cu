// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    a[m + i] = b[i];
    n += a[m + i];
  }
}
//== refused 6:10 vector-store refused: this may lead to what `a[m + i]` writes
