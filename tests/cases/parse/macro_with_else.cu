__global__ void k(int *a, float *x, int n) {
  IF_FAST(n) { a[0] = 1; } else { a[0] = 2; }
}
