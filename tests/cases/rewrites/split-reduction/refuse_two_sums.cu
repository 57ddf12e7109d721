// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(int *a, int n) {
  int t = 0;
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    t += a[i] * a[i];
  }
  a[0] = s;
}
//== refused 6:31 split-reduction refused: it hands on several values: t, s
