__global__ void k(int *a, float *x, int n) {
  n = n ? 1 : n > 2 ? 3 : 4;
  x[n ? 0 : 1] = (n ? x : y)[2];
  n = n ? a[0] = 1 : 2;
}
