__global__ void k(int *a, float *x, int n) {
  alignas(16) float v[4];
  __shared__ float __attribute__((aligned(128))) s[64];
  char b alignas(int)[4];
  [[maybe_unused]] int u = n;
}
