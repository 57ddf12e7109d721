// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = 0; a[j] > 0.0f; j++) a[j] = 0.0f;
}
//== refused 5:21 skew refused: its condition does not compare the counter `j` with a bound
