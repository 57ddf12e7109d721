// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  for (int i = 0; i < n; i++) a[i * w] = 1.0f;
}
//== refused 4:31 strength-reduce refused: its body stands without braces
