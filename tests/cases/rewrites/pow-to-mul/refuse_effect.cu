// step: pow-to-mul{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = powf(a[n++], 2.0f);
}
//== refused 3:36 pow-to-mul refused: no power with a small constant exponent and a base of known type is here
