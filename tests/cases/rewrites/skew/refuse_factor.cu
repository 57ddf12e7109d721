// step: skew{site=k/loop:j,factor=0}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) a[j] = i;
}
//== refused 5:5 skew refused: a skew by 0 is none
