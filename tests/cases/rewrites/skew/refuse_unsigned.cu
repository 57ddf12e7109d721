// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (unsigned int i = 0; i < 9; i++)
    for (int j = 0; j < w; j++) a[j] = i;
}
//== refused 4:8 skew refused: its counter is no int
