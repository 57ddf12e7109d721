// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    atomicAdd(&a[0], 1);
  }
  a[0] = s;
}
//== refused 7:5 split-reduction refused: an atomic operation keeps its place
