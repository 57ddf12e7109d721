// step: fma{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = a[1] * a[2] + a[3];
}
//== refused 3:1 fma refused: it may change rounding and the kernel's contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
