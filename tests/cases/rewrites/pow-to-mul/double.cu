// step: pow-to-mul{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(double *a) {
  double x = a[1];
  a[0] = pow(x, 3);
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(double *a) {
  double x = a[1];
  a[0] = (x * x * x);
}
