// step: peel{site=k/loop:i,side=first}
// r3c: kernel()
__global__ void k(float *a, int n) {
  #pragma unroll 2
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== refused 5:3 peel refused: a pragma belongs to the loop
