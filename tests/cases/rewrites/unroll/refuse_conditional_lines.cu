// step: unroll{site=k/loop:i,factor=2,how=text}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {

#ifdef FAST
    a[i] = 1.0f;
#else
    a[i] = 2.0f;
#endif
  }
}
//== refused 4:3 unroll refused: this cannot be moved or copied safely: conditional compilation selects among its statements
