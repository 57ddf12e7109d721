// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    i++;
  }
}
//== refused 5:5 tile refused: the loop body writes its counter `i`
