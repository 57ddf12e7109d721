// step: loop-order{site=k/loop:i,order=babb,size=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < n; j++)
      c[j * 8 + i] = x[i * n + j];
}
//== refused 4:3 loop-order refused: 'babb' does not name each of the 2 loops here once or twice
