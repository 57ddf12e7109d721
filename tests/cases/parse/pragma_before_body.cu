__global__ void k(int *a, float *x, int n) {
  for (int i = 0; i < n; i++)
  #pragma unroll
    for (int j = 0; j < n; j++)
  #pragma unroll
      for (int l = 0; l < n; l++) a[l] = j;
}
