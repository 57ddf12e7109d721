// step: fma{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float x = a[1];
  a[0] = x * x + 1.0f;
  a[2] += x * a[3];
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float x = a[1];
  a[0] = fmaf(x, x, 1.0f);
  a[2] = fmaf(x, a[3], a[2]);
}
