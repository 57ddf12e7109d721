// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = 0; j < w; j++) {
    if (j > 2) m = fmaxf(m, a[j]);
  }
  for (int j = 0; j < w; j++) y[j] = a[j] - m;
}
//== refused 5:3 keep-in-registers refused: no loop after it evaluates again what every iteration evaluates
