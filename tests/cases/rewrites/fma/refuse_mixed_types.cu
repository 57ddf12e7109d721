// step: fma{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = a[1] * 2.0 + a[2];
}
//== refused 3:36 fma refused: no sum of a product and a value of one floating type is here
