__global__ void k(int *a, float *x, int n) {
  float (&row)[4] = (float (&)[4])x[n];
  int (*table)[8] = (int (*)[8])a;
}
