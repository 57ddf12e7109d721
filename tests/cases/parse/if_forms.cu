__global__ void k(int *a, float *x, int n) {
  if (n) a[0] = 1; else a[0] = 2;
  if (int m = f(n)) a[0] = m;
  if (auto p = f(n); p > 1) a[0] = p;
  if constexpr (N > 2) { a[0] = 3; } else if constexpr (N > 1) a[0] = 2; else a[0] = 1;
  if (n) if (x) n = 1; else n = 2;
}
