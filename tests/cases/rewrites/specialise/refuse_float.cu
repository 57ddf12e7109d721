// step: specialise{site=k/param:n,value=16}
// r3c: kernel()
__global__ void k(float *a, float n) {
  a[0] = n;
}
//== refused 3:29 specialise refused: this site is not a parameter with a whole number
