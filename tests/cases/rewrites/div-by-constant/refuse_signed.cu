// step: div-by-constant{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[n / 4] = 1.0f;
}
//== refused 3:36 div-by-constant refused: no division by a constant whose reciprocal or power of two may be used is here
