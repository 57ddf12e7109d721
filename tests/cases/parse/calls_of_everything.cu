__global__ void k(int *a, float *x, int n) {
  f(1)(2)[3](4);
  (f)(n);
  (*f)(n);
  ns::f();
  ::f();
  f({1, 2}, {});
  f(g(h(n)), -n, !n, *a, &n);
}
