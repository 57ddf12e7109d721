__global__ void k(int *a, float *x, int n) {
  dim3 g(n / 32, 1);
  float v(x[0]);
  int w{3}, z{};
}
