// step: local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2];
  t[2] = a[0];
}
//== refused 5:5 local-array-to-registers refused: this subscript is no constant inside the array
// hint: write the loop out first: unroll-full
