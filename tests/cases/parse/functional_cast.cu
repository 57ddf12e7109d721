__global__ void k(int *a, float *x, int n) {
  x[0] = float(n) + int(x[1]) * double(2);
  x[1] = unsigned(n) >> 3;
}
