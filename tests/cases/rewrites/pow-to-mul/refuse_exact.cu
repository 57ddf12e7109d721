// step: pow-to-mul{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = powf(a[1], 2.0f);
}
//== refused 3:1 pow-to-mul refused: it may change rounding and the kernel's contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
