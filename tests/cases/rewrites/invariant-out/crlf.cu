// step: invariant-out{site=k/loop:i}
// eol: crlf
// r3c: kernel()
__global__ void k(float *a, float s, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] + s * s;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, float s, int n) {
  const auto invariant = s * s;
  for (int i = 0; i < n; i++) {
    a[i] = a[i] + invariant;
  }
}
