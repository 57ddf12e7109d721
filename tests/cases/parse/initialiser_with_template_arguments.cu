__global__ void k(int *a, float *x, int n) {
  const int v = pick<A, B>(x), w = 0;
  auto m = std::max<int>(n, 3), l = 2;
}
