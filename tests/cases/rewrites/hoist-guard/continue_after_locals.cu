// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    const int at = threadIdx.x * 4 + i;
    if (at >= n) continue;
    float v = b[at];
    a[at] = v * v;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  if ((int)(threadIdx.x * 4 + 3) < n) {
    for (int i = 0; i < 4; i++) {
      const int at = threadIdx.x * 4 + i;
      float v = b[at];
      a[at] = v * v;
    }
  } else {
    for (int i = 0; i < 4; i++) {
      const int at = threadIdx.x * 4 + i;
      if (at >= n) continue;
      float v = b[at];
      a[at] = v * v;
    }
  }
}
