__global__ void k(int *a, float *x, int n) {
  #ifdef A
  for (int i = 0; i < n; i++) {
  #else
  for (int i = n; i > 0; i--) {
  #endif
    a[i] = 1;
  }
}
