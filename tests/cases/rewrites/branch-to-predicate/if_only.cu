// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  if (v < 0.0f) v = 0.0f;
  a[n] = v;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  v = v < 0.0f ? 0.0f : v;
  a[n] = v;
}
