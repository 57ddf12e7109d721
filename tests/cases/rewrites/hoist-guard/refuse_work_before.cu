// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    float v = b[i];
    if (i + m < n) a[i + m] = v;
  }
}
//== refused 5:5 hoist-guard refused: this runs before the check, or there is none
