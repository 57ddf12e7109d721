// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = n & 3; i < n; i++) a[i] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = n & 3; i + 1 < n; i += 2) {
    { a[i] = 1.0f; }
    { a[i + 1] = 1.0f; }
  }
  for (int i = (n & 3) + (n - (n & 3)) / 2 * 2; i < n; i++) a[i] = 1.0f;
}
