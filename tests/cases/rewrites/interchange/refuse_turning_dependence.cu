// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[4][8];
  for (int i = 1; i < 4; i++)
    for (int j = 0; j < 7; j++) t[i][j] = t[i - 1][j + 1] + a[i];
  a[0] = t[1][2];
}
//== refused 6:33 interchange refused: this and `t[i - 1][j + 1]` may meet in two iterations whose order turns round
