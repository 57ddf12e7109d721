// step: keep-in-registers{site=k/loop:j,turns=8}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float m = 0.0f;
  for (int j = 0; j < w; j += n) {
    n++;
    m = fmaxf(m, a[j]);
  }
}
//== refused 6:5 keep-in-registers refused: `n`, which the loop's head depends on, may change in the loop
