__global__ void k(int *a, float *x, int n) {
  CHECK(cudaFree(a));
  assert(n > 0 && "positive");
  MIN(n, 3) + 1;
}
