__global__ void k(int *a, float *x, int n) {
  int i = 0, *p = &n, m[4] = {1, 2}, &r = n, **q;
  const float *__restrict__ s = x, t = 1;
}
