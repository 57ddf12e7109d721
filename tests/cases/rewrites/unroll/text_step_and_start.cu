// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 3; i <= n; i += 2) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 3; i + 2 <= n; i += 4) {
    {
      a[i] = a[i] * 2.0f;
    }
    {
      a[i + 2] = a[i + 2] * 2.0f;
    }
  }
  for (int i = 3 + (n - 3 + 2) / 4 * 4; i <= n; i += 2) {
    a[i] = a[i] * 2.0f;
  }
}
