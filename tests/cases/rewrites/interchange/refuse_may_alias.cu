// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *b, const float *a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      b[i * w + j] = a[j * h + i];
    }
  }
}
//== refused 6:7 interchange refused: this and `a[j * h + i]` may meet in two iterations whose order turns round
