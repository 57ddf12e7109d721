__global__ void k(int *a, float *x, int n) {
  switch (n) {
    case 0: a[0] = 1; break;
    case N + 1:
    case sizeof(int) > 4 ? 1 : 2: { a[0] = 2; }
    default: break;
  }
}
