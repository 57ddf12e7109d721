// step: local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[100];
  t[0] = a[0];
  a[1] = t[0];
}
//== refused 4:9 local-array-to-registers refused: it does not have a known number of at most 64 elements
