__global__ void k(int *a, float *x, int n) {
  *x++ = -*x;
  ++*x;
  (*x)--;
  &a[1] - &a[0];
  n = - -n + +n;
  n = *&n;
}
