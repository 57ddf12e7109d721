// step: peel{site=k/loop:i,side=last}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = i == n - 1 ? 1.0f : 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i + 1 < n; i++) {
    a[i] = i == n - 1 ? 1.0f : 2.0f;
  }
  if (0 < n) {
    const int i = (n - 1);
    {
      a[i] = i == n - 1 ? 1.0f : 2.0f;
    }
  }
}
