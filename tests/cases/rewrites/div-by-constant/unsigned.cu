// step: div-by-constant{site=k}
// r3c: kernel()
__global__ void k(float *a, unsigned int n) {
  unsigned int u = n / 8u;
  a[u % 16] = 1.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, unsigned int n) {
  unsigned int u = (n >> 3);
  a[(u & 15u)] = 1.0f;
}
