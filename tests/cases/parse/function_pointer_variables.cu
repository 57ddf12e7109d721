__global__ void k(int *a, float *x, int n) {
  float (*f)(float, int) = &g;
  int (*table[2])(int) = {one, two};
  x[0] = f(x[1], n) + (*f)(1, 2) + table[0](n);
}
