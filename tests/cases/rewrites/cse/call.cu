// step: cse{site=k}
// r3c: kernel()
__global__ void k(float *a, float s) {
  a[0] = expf(s) * 2.0f;
  a[1] = expf(s) * 3.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, float s) {
  const auto common = expf(s);
  a[0] = common * 2.0f;
  a[1] = common * 3.0f;
}
