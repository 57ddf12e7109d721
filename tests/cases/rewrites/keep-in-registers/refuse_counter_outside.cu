// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  int j;
  for (j = 0; j < w; j++) m = fmaxf(m, a[j]);
  for (j = 0; j < w; j++) y[j] = a[j] - m;
}
//== refused 6:3 keep-in-registers refused: its counter `j` lives on after it
