// step: unroll{site=k/loop:i,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  #pragma unroll 4
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
