// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0f) break;
    s += a[i];
  }
  out[0] = s;
}
//== refused 6:22 prefetch refused: the loop body leaves early with `break`
