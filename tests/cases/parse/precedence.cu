__global__ void k(int *a, float *x, int n) {
  n = 1 + 2 * 3 - 4 / 5 % 6;
  n = 1 << 2 + 3 & 4 | 5 ^ 6;
  n = n == 1 && n != 2 || n <= 3;
  n = -n * !n + ~n;
  n = a[0] - a[1] - a[2];
}
