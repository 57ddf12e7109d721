__global__ void k(int *a, float *x, int n) {
  if (n) {
    a[0] = 1;
  }
  #ifdef DEBUG
  else {
    a[0] = 2;
  }
  #endif
  n = 2;
}
