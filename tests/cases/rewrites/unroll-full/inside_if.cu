// step: unroll-full{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 1)
    for (int i = 0; i < 2; i++) a[i] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 1)
    { {
      a[0] = 1.0f;
    }
    {
      a[1] = 1.0f;
    } }
}
