// step: cse{site=k}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[0] = 1.0f;
}
//== refused 3:36 cse refused: no expression is computed twice with the same values in its statements
