// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float i = a[j];
      a[j] = i * 2.0f;
    }
}
//== refused 6:13 skew refused: another `i` hides the outer counter here
