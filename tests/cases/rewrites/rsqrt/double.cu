// step: rsqrt{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(double *a) {
  a[0] = 1.0 / sqrt(a[1]);
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(double *a) {
  a[0] = rsqrt(a[1]);
}
