// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = 0.0f;
  if (n > 4) v = a[n - 4];
  a[n] = v;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = 0.0f;
  v = n > 4 ? a[n - 4] : v;
  a[n] = v;
}
