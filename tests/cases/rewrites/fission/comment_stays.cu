// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;  // one
    b[i] = 2.0f;  // two
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;  // one
  }
  for (int i = 0; i < n; i++) {
    b[i] = 2.0f;  // two
  }
}
