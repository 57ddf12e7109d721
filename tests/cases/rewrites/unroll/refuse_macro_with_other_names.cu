// step: unroll{site=k/loop:i,factor=2,how=text}
#define AT(x) a[(x) * n]
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    AT(i) = 1.0f;
  }
}
//== refused 6:5 unroll refused: macro AT may use names that would change here
