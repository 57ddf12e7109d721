// step: local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[2];
  t[0] = 1.0f;
}
//== refused 4:20 local-array-to-registers refused: this site is not a local array
