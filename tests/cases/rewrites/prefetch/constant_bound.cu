// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, const float *b, int n) {
  float s = 0.0f;
  for (int i = 0; i < 8; i += 2) {
    s += a[i] + a[i] * b[i * n];
  }
  out[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float *a, const float *b, int n) {
  float s = 0.0f;
  float a_next = 0 < 8 ? a[0] : 0;
  float b_next = 0 < 8 ? b[0 * n] : 0;
  for (int i = 0; i < 8; i += 2) {
    const float a_now = a_next;
    if (i + 2 < 8) a_next = a[(i + 2)];
    const float b_now = b_next;
    if (i + 2 < 8) b_next = b[(i + 2) * n];
    s += a_now + a_now * b_now;
  }
  out[0] = s;
}
