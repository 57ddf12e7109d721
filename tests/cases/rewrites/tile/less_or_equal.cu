// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 1; i <= n; i += 2) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i_tile = 1; i_tile <= n; i_tile += 32) {
    for (int i = i_tile; i <= (i_tile + 31 < n ? i_tile + 31 : n); i += 2) {
      a[i] = a[i] * 2.0f;
    }
  }
}
