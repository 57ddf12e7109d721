// step: specialise{site=k/param:a,value=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[n] = 1.0f;
}
//== refused 3:19 specialise refused: this site is not a parameter with a whole number
