// step: unroll-full{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 2; i >= 0; i--) a[i] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  {
    a[2] = 1.0f;
  }
  {
    a[1] = 1.0f;
  }
  {
    a[0] = 1.0f;
  }
}
