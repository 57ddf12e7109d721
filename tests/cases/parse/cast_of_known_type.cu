typedef double real;
__global__ void k(int *a, float *x, int n) {
  x[0] = (real)(n) * 2;
  x[1] = (real)-n;
  x[2] = (real)*x;
}
