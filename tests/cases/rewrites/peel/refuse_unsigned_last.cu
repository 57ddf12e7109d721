// step: peel{site=k/loop:i,side=last}
// r3c: kernel()
__global__ void k(float *a, unsigned int n, unsigned int m) {
  for (unsigned int i = m; i < n; i++) a[i] = 1.0f;
}
//== refused 4:32 peel refused: the bound may lie below the start, and the types are not known to be signed
