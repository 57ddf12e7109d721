__global__ void k(int *a, float *x, int n) {
  if (n < 3 && x[0] > (2)) n = a[0] < n;
  x[0] = n < 1 || n > (4);
  for (int i = 0; i < n && a[i] > 0; ++i) n = i;
}
