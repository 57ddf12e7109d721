// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  if (n > 4) {
    v = v * 2.0f;
  } else {
    v = v + 1.0f;
  }
  a[n] = v;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  v = n > 4 ? (v * 2.0f) : (v + 1.0f);
  a[n] = v;
}
