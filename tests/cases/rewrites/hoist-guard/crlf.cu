// step: hoist-guard{site=k/loop:i}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 2; i++)
    if (i + m < n) a[i + m] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  if (1 + m < n) {
    for (int i = 0; i < 2; i++)
      a[i + m] = 0.0f;
  } else {
    for (int i = 0; i < 2; i++)
      if (i + m < n) a[i + m] = 0.0f;
  }
}
