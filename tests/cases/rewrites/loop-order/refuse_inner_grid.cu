// step: loop-order{site=k/loop:i,order=bA,size=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < n; j++)
      c[j * 8 + i] = x[i * n + j];
}
//== refused 4:3 loop-order refused: only the outermost loop can be dealt out to the grid
