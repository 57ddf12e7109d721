__global__ void k(int *a, float *x, int n) {
  #if A
  #if B
  n = 1;
  #elif C > 2
  n = 2;
  #endif
  #else
  n = 3;
  #endif
}
