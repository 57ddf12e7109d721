// step: unroll{site=k/loop:i,factor=2,how=text}
__device__ void skip(int &i);

// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    skip(i);
    a[i] = 1.0f;
  }
}
//== refused 7:5 unroll refused: this may write the counter `i`
