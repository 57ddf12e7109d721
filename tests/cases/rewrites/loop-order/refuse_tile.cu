// step: loop-order{site=k/loop:i,order=baa,size=8}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < n; j++)
      c[j * 8 + i] = x[i * n + j];
}
//== refused 4:3 loop-order refused: tile{site=k/loop:i,size=8} is not legal on the way: the loop runs only 8 times, a tile of 8 would hold it all
