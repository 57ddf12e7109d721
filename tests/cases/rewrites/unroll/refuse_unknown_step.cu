// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n, int s) {
  for (int i = 0; i < n; i += s) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:31 unroll refused: its step is not a constant
