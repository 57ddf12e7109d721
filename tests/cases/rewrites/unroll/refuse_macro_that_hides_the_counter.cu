// step: unroll{site=k/loop:i,factor=2,how=text}
#define HERE a[i]
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    HERE = 1.0f;
  }
}
//== refused 6:5 unroll refused: macro HERE may use names that would change here
