__global__ void k(int *a, float *x, int n) {
  n = n ?: 3;
  n = ({ int t = n; t + 1; });
  __extension__ typedef int wide;
  n = __builtin_expect(n, 0);
}
