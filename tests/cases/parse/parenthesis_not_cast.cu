__global__ void k(int *a, float *x, int n) {
  x[0] = (n) - 1;
  x[1] = (n) * x[0];
  x[2] = (a[0]) + (n) + 1;
  x[3] = (n) & 3;
}
