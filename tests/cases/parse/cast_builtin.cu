__global__ void k(int *a, float *x, int n) {
  x[0] = (float)n;
  x[1] = (float)(n) - 1;
  x[2] = (const unsigned int)n;
}
