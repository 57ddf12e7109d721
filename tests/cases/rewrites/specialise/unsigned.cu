// step: specialise{site=k/param:n,value=16}
// r3c: kernel()
__global__ void k(float *a, unsigned int n) {
  a[n] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, unsigned int n) {
  if (n == 16u) {
    a[16u] = 1.0f;
  } else {
    a[n] = 1.0f;
  }
}
