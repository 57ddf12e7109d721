__global__ void k(int *a, float *x, int n) {
  #ifdef FAST
  x[0] += 1;
  #else
  x[0] += 2;
  #endif
  n = 1;
}
