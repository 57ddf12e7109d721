// step: invariant-out{site=k/loop:main}
// r3c: kernel()
__global__ void k(float *a, float s, int n) {
  // r3c: loop(main)
  for (int i = 0; i < n; i++) {
    a[i] = a[i] + s * s;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, float s, int n) {
  const auto invariant = s * s;
  // r3c: loop(main)
  for (int i = 0; i < n; i++) {
    a[i] = a[i] + invariant;
  }
}
