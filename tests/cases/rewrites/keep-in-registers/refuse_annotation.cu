// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;

  // r3c: loop(j)
  for (int j = 0; j < w; j++) m = fmaxf(m, a[j]);

  // r3c: loop(j)
  for (int j = 0; j < w; j++) y[j] = a[j] - m;
}
//== refused 7:3 keep-in-registers refused: an annotation belongs to the loop
