__global__ void k(int *a, float *x, int n) {
  #pragma unroll
  for (int i = 0; i < 4; i++) a[i] = i;
  if (n)
  #pragma unroll 4
    for (int j = 0; j < n; j++) a[j] = j;
  #pragma unroll N
  while (n--) ;
}
