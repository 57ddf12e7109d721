// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = w; j > 0; j--) m = fmaxf(m, a[j]);
  for (int j = w; j > 0; j--) y[j] = a[j] - m;
}
//== refused 5:19 keep-in-registers refused: it does not count up to a bound with < or <=
