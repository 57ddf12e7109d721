// step: pow-to-mul{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float x = a[1];
  a[0] = powf(x - 1.0f, 2.0f) + powf(x, 0.5f) + powf(x, -1.0f);
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float x = a[1];
  a[0] = ((x - 1.0f) * (x - 1.0f)) + sqrtf(x) + (1.0f / x);
}
