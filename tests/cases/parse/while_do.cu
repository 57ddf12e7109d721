__global__ void k(int *a, float *x, int n) {
  while (n-- > 0) a[n] = n;
  do { n++; } while (n < 4);
  do n--; while (n);
  while (int m = next(n)) n = m;
}
