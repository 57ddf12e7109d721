__global__ void k(int *a, float *x, int n) {
  n = (a[0] = 1, a[1]);
  for (n = 0, a[0] = 1; n < 2; n++, a[n]++) ;
}
