// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(int *a, int m, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = i + n / m;
  }
}
//== refused 4:3 invariant-out refused: nothing in it is computed that is the same in all iterations
