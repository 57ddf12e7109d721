// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 8; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i + 1 < 8; i += 2) {
    {
      a[i] = a[i] * 2.0f;
    }
    {
      a[i + 1] = a[i + 1] * 2.0f;
    }
  }
}
