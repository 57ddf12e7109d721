__global__ void k(int *a, float *x, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = ) ;
  }
  n = 3;
}
