// step: unroll{site=k/loop:i,factor=2,how=text}
#define STEP(i) a[i] = 1.0f;

// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    STEP(i)
    a[i] += 1.0f;
  }
}
//== refused 6:3 unroll refused: this cannot be moved or copied safely: macro STEP stands for statements
