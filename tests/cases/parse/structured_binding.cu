__global__ void k(int *a, float *x, int n) {
  auto [u, v] = split(n);
  auto const &[p, q] = pair_of(a);
}
