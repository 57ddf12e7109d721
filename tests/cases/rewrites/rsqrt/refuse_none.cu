// step: rsqrt{site=k}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[0] = sqrtf(a[1]);
}
//== refused 3:36 rsqrt refused: no division by a square root of known type is here
