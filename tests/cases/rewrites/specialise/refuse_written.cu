// step: specialise{site=k/param:n,value=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  n = n + 1;
  a[n] = 1.0f;
}
//== refused 4:3 specialise refused: `n` is written here
