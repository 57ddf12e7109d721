// step: specialise{site=k/param:n,value=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32];
  t[n] = 1.0f;
  a[0] = t[n];
}
//== refused 4:20 specialise refused: `t` would be needed twice
