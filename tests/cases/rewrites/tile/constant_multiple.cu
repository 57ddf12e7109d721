// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 64; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i_tile = 0; i_tile < 64; i_tile += 16) {
    for (int i = i_tile; i < i_tile + 16; i++) {
      a[i] = a[i] * 2.0f;
    }
  }
}
