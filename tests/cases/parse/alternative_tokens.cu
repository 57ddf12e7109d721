__global__ void k(int *a, float *x, int n) {
  if (n and not x or a) n = 1;
}
