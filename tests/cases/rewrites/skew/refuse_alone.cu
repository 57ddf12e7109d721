// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int j = 0; j < w; j++) a[j] = 0.0f;
}
//== refused 4:3 skew refused: it does not stand in another counted loop
