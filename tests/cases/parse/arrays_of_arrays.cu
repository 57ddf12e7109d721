__global__ void k(int *a, float *x, int n) {
  float t[4][N + 1][2 * M];
  int s[] = {1, 2, 3};
  char buffer[n > 0 ? 4 : 8];
  t[1][2][3] = s[t2[1]];
}
