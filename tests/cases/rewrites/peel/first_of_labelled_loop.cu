// step: peel{site=k/loop:main,side=first}
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: loop(main)
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (0 < n) {
    const int i = 0;
    {
      a[i] = 1.0f;
    }
  }
  // r3c: loop(main)
  for (int i = 0 + 1; i < n; i++) {
    a[i] = 1.0f;
  }
}
