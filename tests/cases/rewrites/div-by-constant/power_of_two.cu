// step: div-by-constant{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = a[1] / 4.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = a[1] * 0.25f;
}
