// step: unroll-full{site=k/loop:i},local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2];
  for (int i = 0; i < 2; i++) t[i] = a[i];
  a[0] = t[1];
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t_0, t_1;
  {
    t_0 = a[0];
  }
  {
    t_1 = a[1];
  }
  a[0] = t_1;
}
