__global__ void k(int *a, float *x, int n) {
  x[n] = a[n];
  auto r = f([&] { return a[n]; })[2];
  int m[2] = {a[0], a[1]};
}
