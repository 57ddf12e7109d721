// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      if (a[j] > 1.0f) break;
      a[j] = i;
    }
}
//== refused 6:24 skew refused: the loop body leaves early with `break`
