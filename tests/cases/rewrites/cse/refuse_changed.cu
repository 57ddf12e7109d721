// step: cse{site=k}
// r3c: kernel()
__global__ void k(float *a, float s) {
  a[0] = s * s * s;
  s = s + 1.0f;
  a[1] = s * s * s;
}
//== refused 3:38 cse refused: no expression is computed twice with the same values in its statements
