__global__ void k(int *a, float *x, int n) {
  n = (s.*f)(1) + (p->*g)(2);
}
