__global__ void k(int *a, float *x, int n) {
  n = 1;
  n = = 2 ++ ;
  n = 3;
}
