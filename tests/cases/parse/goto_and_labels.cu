__global__ void k(int *a, float *x, int n) {
  again:
  if (n--) goto again;
  done: return;
}
