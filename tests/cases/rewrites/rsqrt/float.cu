// step: rsqrt{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = 1.0f / sqrtf(a[1] + 1.0f);
  a[2] = a[3] / sqrtf(a[4]);
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = rsqrtf(a[1] + 1.0f);
  a[2] = a[3] * rsqrtf(a[4]);
}
