// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = a[i - 1];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
  for (int i = 0; i < n; i++) {
    b[i] = a[i - 1];
  }
}
