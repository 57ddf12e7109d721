// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, unsigned int n, unsigned int m) {
  for (unsigned int i = 0; i < 4; i++)
    if (i + m - 1 < n) a[i + m] = 0.0f;
}
//== refused 5:9 hoist-guard refused: the index or its bound is not known to be signed and may wrap around
