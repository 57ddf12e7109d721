// step: local-array-to-registers{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2][2];
  t[0][0] = a[0];
  t[1][1] = a[1];
  a[2] = t[0][0] + t[1][1];
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t_0_0, t_0_1, t_1_0, t_1_1;
  t_0_0 = a[0];
  t_1_1 = a[1];
  a[2] = t_0_0 + t_1_1;
}
