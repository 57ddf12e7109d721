// step: loop-order{site=k/loop:i,order=cab,size=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int l = 0; l < n; l++) {
        c[i * n + j] = c[i * n + j] + x[i * n + l] * y[l * n + j];
      }
    }
  }
}
//== refused 4:3 loop-order refused: interchange{site=k/loop:i} is not legal on the way: this and `c[i * n + j]` may meet in two iterations whose order turns round
