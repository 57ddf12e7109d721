// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  for (int i = 0; i < n; i += 2) {
    a[i * w] = 1.0f;
  }
}
//== refused 4:3 strength-reduce refused: it does not count in steps of 1
