// step: unroll-full{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 1; i <= 5; i += 2) {
    a[i - 1] = i;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  {
    a[1 - 1] = 1;
  }
  {
    a[3 - 1] = 3;
  }
  {
    a[5 - 1] = 5;
  }
}
