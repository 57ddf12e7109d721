// step: rsqrt{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = 1.0f / sqrtf(a[1]);
}
//== refused 3:1 rsqrt refused: it may change rounding and the kernel's contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
