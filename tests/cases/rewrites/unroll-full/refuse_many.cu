// step: unroll-full{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 100; i++) a[i] = 1.0f;
}
//== refused 4:3 unroll-full refused: it runs 100 times, which is not 1 to 32, or is too long
