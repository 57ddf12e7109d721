__global__ void k(int *a, float *x, int n) {
  TICK(3)
  n += 1;
  BEGIN_LOOP
  f(n);
  FOR_ALL(i, n) { a[i] = 0; }
  CHECK(f(n));
  END_LOOP
}
