__global__ void k(int *a, float *x, int n) {
  f(a < b, c > d);
  f(i < n, (j) > (m));
  n = min(a[0] < 1, n > 2);
}
