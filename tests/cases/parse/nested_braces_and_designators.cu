__global__ void k(int *a, float *x, int n) {
  int m[2][2] = {{1, 2}, {3, 4,}};
  Point p = {.x = 1, .y = {2}};
  Point q{1, 2};
}
