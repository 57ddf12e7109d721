// step: expand-macros{site=k}
#define AT(i) (i)
#undef AT
#define AT(i) (i + 1)
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[0] = AT(1);
}
//== refused 6:1 expand-macros refused: it uses no macro with arguments that the file defines once before
