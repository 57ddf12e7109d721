__global__ void k(int *a, float *x, int n) {
  x[0] = load<const float *, unsigned long long>(x);
  x[1] = call<void(int, float *)>(f);
  auto p = make_unique<float[]>(n);
}
