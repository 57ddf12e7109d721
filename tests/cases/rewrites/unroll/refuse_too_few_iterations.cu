// step: unroll{site=k/loop:i,factor=8,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 3; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:3 unroll refused: the loop runs only 3 times
