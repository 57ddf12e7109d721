// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, float s, float t, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * (s * t);
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, float s, float t, int n) {
  const auto invariant = s * t;
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * (invariant);
  }
}
