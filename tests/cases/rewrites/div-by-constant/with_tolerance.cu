// step: div-by-constant{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = a[1] / 3.0f;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = a[1] * (1.0f / 3.0f);
}
