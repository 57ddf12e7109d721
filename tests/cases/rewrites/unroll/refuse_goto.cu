// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0f) goto end;
  }
end:
  a[0] = 0.0f;
}
//== refused 5:22 unroll refused: there is a label or goto here
