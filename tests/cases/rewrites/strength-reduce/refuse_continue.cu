// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 0.0f) continue;
    a[i * w] = 1.0f;
  }
}
//== refused 5:22 strength-reduce refused: the loop body leaves early with `continue`
