__global__ void k(int *a, float *x, int n) {
  n = 0x1fULL + 0b101 + 1'000'000 + 'a' + '\'' + L'x';
  x[0] = 1.f + .5e-3 + 0x1.8p-3f + 1e5 + 2.0L;
  bool b = true, c = nullptr;
}
