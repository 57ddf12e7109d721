// step: unroll{site=k/loop:i,factor=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  #pragma nounroll
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:3 unroll refused: the loop already has another pragma
