__global__ void k(int *a, float *x, int n) {
  n = n >> 2 >> 1;
  n >>= 1;
  x[n >> 1] = a[n << 2] < n >> 3;
}
