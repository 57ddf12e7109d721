// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
  }
  a[0] = s;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  float s = 0;
  float s_1 = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    {
      s += a[i];
    }
    {
      s_1 += a[i + 1];
    }
  }
  s += s_1;
  for (int i = n / 2 * 2; i < n; i++) {
    s += a[i];
  }
  a[0] = s;
}
