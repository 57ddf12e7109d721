// step: specialise{site=k/param:n,value=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (n == 16) {
    for (int i = 0; i < 16; i++) {
      a[i] = 1.0f;
    }
  } else {
    for (int i = 0; i < n; i++) {
      a[i] = 1.0f;
    }
  }
}
