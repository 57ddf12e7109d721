__global__ void k(int *a, float *x, int n) {
  float4 *v = (float4 *)x;
  x[0] = *(volatile float *)&a[1];
  x[1] = (T *)a - 1 ? 1 : 0;
}
