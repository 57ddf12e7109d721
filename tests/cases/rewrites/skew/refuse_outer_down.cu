// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = h; i > 0; i--)
    for (int j = 0; j < w; j++) a[j] = i;
}
//== refused 4:19 skew refused: it does not count up to a bound with < or <=
