// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== refused 4:31 split-reduction refused: no sum is formed in it
