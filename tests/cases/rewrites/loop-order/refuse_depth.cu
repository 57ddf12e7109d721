// step: loop-order{site=k/loop:j,order=ba,size=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < n; j++)
      c[j * 8 + i] = x[i * n + j];
}
//== refused 5:5 loop-order refused: 'ba' does not name each of the 1 loops here once or twice
