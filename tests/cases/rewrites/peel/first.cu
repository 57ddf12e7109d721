// step: peel{site=k/loop:i,side=first}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = i == 0 ? 1.0f : 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (0 < n) {
    const int i = 0;
    {
      a[i] = i == 0 ? 1.0f : 2.0f;
    }
  }
  for (int i = 0 + 1; i < n; i++) {
    a[i] = i == 0 ? 1.0f : 2.0f;
  }
}
