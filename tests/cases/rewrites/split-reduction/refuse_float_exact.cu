// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
  }
  a[0] = s;
}
//== refused 5:31 split-reduction refused: the order in which `s` is summed up changes its rounding, and the contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
