// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 16; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:3 tile refused: the loop runs only 16 times, a tile of 16 would hold it all
