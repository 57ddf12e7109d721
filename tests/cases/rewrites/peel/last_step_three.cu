// step: peel{site=k/loop:i,side=last}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 2; i <= n; i += 3) a[i] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 2; i + 3 <= n; i += 3) a[i] = 1.0f;
  if (2 <= n) {
    const int i = 2 + (n - 2) / 3 * 3;
    a[i] = 1.0f;
  }
}
