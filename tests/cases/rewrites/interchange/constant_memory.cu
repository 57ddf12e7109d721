// step: interchange{site=k/loop:i}
__constant__ float taps[16];
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * n + j] = taps[j];
    }
  }
}
//== expect
__constant__ float taps[16];
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      a[i * n + j] = taps[j];
    }
  }
}
