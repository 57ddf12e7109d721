// step: expand-macros{site=k}
#define AT(i) (i)
#ifdef X
#undef AT
#endif
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[0] = AT(1);
}
//== refused 8:10 expand-macros refused: macro AT is undefined somewhere
