// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 2)
    for (int i = 0; i < n; i++) a[i * 2] = i;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n > 2)
    { for (int i = 0; i + 1 < n; i += 2) {
      { a[i * 2] = i; }
      { a[(i + 1) * 2] = (i + 1); }
    }
    for (int i = n / 2 * 2; i < n; i++) a[i * 2] = i; }
}
