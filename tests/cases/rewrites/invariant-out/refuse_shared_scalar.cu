// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ int done;
  for (int i = 0; i < n; i++) {
    a[i] = done * 2 + i;
  }
}
//== refused 5:3 invariant-out refused: nothing in it is computed that is the same in all iterations
