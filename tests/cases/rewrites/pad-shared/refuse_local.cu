// step: pad-shared{site=k/decl:t,pad=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2][2];
  t[0][0] = 1.0f;
  a[0] = t[0][0];
}
//== refused 4:9 pad-shared refused: this site is not a shared array
