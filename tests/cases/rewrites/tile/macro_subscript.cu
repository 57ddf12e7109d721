// step: tile{site=k/loop:i,size=16}
#define AT(x) ((x) * 4)
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[AT(i)] = 1.0f;
  }
}
//== expect
#define AT(x) ((x) * 4)
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i_tile = 0; i_tile < n; i_tile += 16) {
    for (int i = i_tile; i < (i_tile + 16 < n ? i_tile + 16 : n); i++) {
      a[AT(i)] = 1.0f;
    }
  }
}
