__global__ void k(int *a, float *x, int n) {
  #define W 4
  for (int i = 0; i < W; i++) a[i] = W;
  #undef W
}
