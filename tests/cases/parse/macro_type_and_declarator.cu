#define VEC float4
#define REAL double
__global__ void k(int *a, float *x, int n) {
  VEC v = *(VEC *)x;
  REAL r = (REAL)n;
  const size_t INDEX_OF(row, n) = 4;
}
