__global__ void k(int *a, float *x, int n) {
  x[0] = (float)(int)(char)n;
  x[1] = -(float)~(int)n;
  x[2] = !(bool)n;
}
