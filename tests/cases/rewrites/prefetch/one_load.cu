// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i] * 2.0f;
  }
  out[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0;
  float a_next = 0 < n ? a[0] : 0;
  for (int i = 0; i < n; i++) {
    const float a_now = a_next;
    if (i + 1 < n) a_next = a[(i + 1)];
    s += a_now * 2.0f;
  }
  out[0] = s;
}
