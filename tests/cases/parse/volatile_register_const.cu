__global__ void k(int *a, float *x, int n) {
  volatile int *vp = a;
  register float r = 0;
  int const c = 1, *const p = a;
  long long unsigned int w = 1ull;
  unsigned u = 1u;
}
