// step: expand-macros{site=k}
#define SELF(i) SELF(i + 1)
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[0] = SELF(w);
}
//== refused 5:10 expand-macros refused: macro SELF names itself
