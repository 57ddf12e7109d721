// step: unroll{site=k/loop:main,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: loop(main)
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: loop(main)
  for (int i = 0; i + 1 < n; i += 2) {
    {
      a[i] = a[i] * 2.0f;
    }
    {
      a[i + 1] = a[i + 1] * 2.0f;
    }
  }
  for (int i = n / 2 * 2; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
