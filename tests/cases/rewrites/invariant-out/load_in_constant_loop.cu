// step: invariant-out{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, const float *b, float s, int n) {
  for (int i = 0; i < 4; i++) {
    s += b[n] * i;
  }
  a[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, const float *b, float s, int n) {
  const auto invariant = b[n];
  for (int i = 0; i < 4; i++) {
    s += invariant * i;
  }
  a[0] = s;
}
