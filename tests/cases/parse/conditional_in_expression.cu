__global__ void k(int *a, float *x, int n) {
  x[0] = n
  #ifdef MORE
    + 1
  #endif
    ;
}
