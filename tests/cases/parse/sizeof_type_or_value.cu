__global__ void k(int *a, float *x, int n) {
  n = sizeof(float) * n;
  n = sizeof x[0] + 1;
  n = sizeof(n) - 1;
  n = sizeof(struct pair) / sizeof(int *);
  n = alignof(float4);
}
