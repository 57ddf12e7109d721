// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float t[4];
  t[0] = a[0];
  y[0] = t[0];
}
//== refused 4:9 unstage-shared refused: this site is not a shared array
