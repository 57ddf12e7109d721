__global__ void k(int *a, float *x, int n) {
  x[0] = (index_t)n;
  x[1] = (index_t)(n + 1);
  x[2] = (size_t)-1;
}
