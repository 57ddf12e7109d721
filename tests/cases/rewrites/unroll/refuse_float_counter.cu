// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (float i = 0; i < n; i += 1) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:8 unroll refused: its counter has type `float`, not an integer type
