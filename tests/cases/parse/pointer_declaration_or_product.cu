__global__ void k(int *a, float *x, int n) {
  Grid *g = at(3);
  Cell &c = q[0];
  n = n * n;
  g->x = c.y * n;
}
