// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 4; i++) {
    a[n + i] = 2.0f;
    a[n + i] = a[n + i] * 2.0f;
  }
}
//== refused 5:5 vector-load refused: this may write what `a[n + i]` reads
