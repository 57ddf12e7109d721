__global__ void k(int *a, float *x, int n) {
  set(step<n>, 1);
  auto f = &apply<Policy, is_last && !is_first, true>;
  int m = width<T>;
  wait<n == 16 ? 32 : 24>();
}
