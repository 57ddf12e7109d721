// step: peel{site=k/loop:i,side=last}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = n & 3; i < n; i++) a[i] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = n & 3; i + 1 < n; i++) a[i] = 1.0f;
  if ((n & 3) < n) {
    const int i = (n & 3) + (n - (n & 3) - 1);
    a[i] = 1.0f;
  }
}
