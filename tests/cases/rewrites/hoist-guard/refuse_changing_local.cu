// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    int at = i + m;
    if (at < n) a[at++] = 0.0f;
  }
}
//== refused 6:9 hoist-guard refused: the check is not an upper bound on an index that grows with the counter
