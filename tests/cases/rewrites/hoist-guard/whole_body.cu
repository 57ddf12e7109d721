// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 1; i <= 7; i += 2) {
    if (n > m + 2 * i) {
      a[m + 2 * i] = 1.0f;
      a[m + i] = 2.0f;
    }
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  if (n > m + 2 * 7) {
    for (int i = 1; i <= 7; i += 2) {
      a[m + 2 * i] = 1.0f;
      a[m + i] = 2.0f;
    }
  } else {
    for (int i = 1; i <= 7; i += 2) {
      if (n > m + 2 * i) {
        a[m + 2 * i] = 1.0f;
        a[m + i] = 2.0f;
      }
    }
  }
}
