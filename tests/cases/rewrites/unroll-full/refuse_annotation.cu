// step: unroll-full{site=k/loop:main}
// r3c: kernel()
__global__ void k(float *a, int n) {
  // r3c: loop(main)
  for (int i = 0; i < 2; i++) a[i] = 1.0f;
}
//== refused 5:3 unroll-full refused: an annotation or pragma belongs to the loop
