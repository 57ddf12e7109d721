// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    { int i = 7; a[i] = i; } a[i] = 1.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    {
      { int i = 7; a[i] = i; } a[i] = 1.0f;
    }
    {
      { int i = 7; a[i] = i; } a[i + 1] = 1.0f;
    }
  }
  for (int i = n / 2 * 2; i < n; i++) {
    { int i = 7; a[i] = i; } a[i] = 1.0f;
  }
}
