// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, unsigned int n, unsigned int s) {
  for (unsigned int i = s; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 4:32 unroll refused: the bound may lie below the start, and the types are not known to be signed
