// step: expand-macros{site=k}
#define CAT(a, b) a##b
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[0] = CAT(w, 1);
}
//== refused 5:10 expand-macros refused: macro CAT is not written out: its arguments or its text are special
