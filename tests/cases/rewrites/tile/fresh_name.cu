// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    int i_tile = i;
    a[i_tile] = 1.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i_tile_2 = 0; i_tile_2 < n; i_tile_2 += 16) {
    for (int i = i_tile_2; i < (i_tile_2 + 16 < n ? i_tile_2 + 16 : n); i++) {
      int i_tile = i;
      a[i_tile] = 1.0f;
    }
  }
}
