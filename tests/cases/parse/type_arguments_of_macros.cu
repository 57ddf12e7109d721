__global__ void k(int *a, float *x, int n) {
  n = OFFSET(struct pair, second);
  n = SIZE(const float *) + COUNT(Cell *, 3) + WIDTH(unsigned int);
}
