// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 100; i++)
    if (i < n) a[i] = 0.0f;
}
//== refused 4:3 hoist-guard refused: it does not run a known number of times from 2 to 16
