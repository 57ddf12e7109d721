// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++)
    if (i + m > n) a[i + m] = 0.0f;
}
//== refused 5:9 hoist-guard refused: the check is not an upper bound on an index that grows with the counter
