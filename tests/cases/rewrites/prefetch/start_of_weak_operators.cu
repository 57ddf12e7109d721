// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0.0f;
  for (int i = n & 3; i < n; i++) {
    s += a[i] * 2.0f;
  }
  out[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0.0f;
  float a_next = (n & 3) < n ? a[(n & 3)] : 0;
  for (int i = n & 3; i < n; i++) {
    const float a_now = a_next;
    if (i + 1 < n) a_next = a[(i + 1)];
    s += a_now * 2.0f;
  }
  out[0] = s;
}
