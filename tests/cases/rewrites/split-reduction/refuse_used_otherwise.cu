// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    a[i] = s;
  }
  a[0] = s;
}
//== refused 5:31 split-reduction refused: `s` is not only a sum or product
