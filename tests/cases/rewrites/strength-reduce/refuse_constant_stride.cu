// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i * 4] = 1.0f;
  }
}
//== refused 4:3 strength-reduce refused: no subscript in it is the counter times a value that stays the same
