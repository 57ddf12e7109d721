// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  for (int i = 0; i < n; i++) {
    a[i * w] = 1.0f;
    w += 1;
  }
}
//== refused 4:3 strength-reduce refused: no subscript in it is the counter times a value that stays the same
