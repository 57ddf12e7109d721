__global__ void k(int *a, float *x, int n) {
  constexpr int W = 32;
  static const float table[3] = {1, 2, 3};
  const auto half = n / 2;
  auto *p = x;
  auto &&r = x[0];
}
