// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(int *b, const int *a, int h, int w) {
  int s = 0;
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      s += a[i * w + j];
    }
  }
  b[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(int *b, const int *a, int h, int w) {
  int s = 0;
  for (int j = 0; j < w; j++) {
    for (int i = 0; i < h; i++) {
      s += a[i * w + j];
    }
  }
  b[0] = s;
}
