// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  if (n > 3)
    for (int j = 0; j < w; j++) m = fmaxf(m, a[j]);
  y[0] = m;
}
//== refused 6:5 keep-in-registers refused: it stands without braces, so nothing can be put before it
