// step: local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2] = {1.0f, 2.0f};
  a[0] = t[0];
}
//== refused 4:9 local-array-to-registers refused: its declaration has an initialiser, other names or more than a plain type
