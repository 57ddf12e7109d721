__global__ void k(REAL M2D(A, N, M), VEC(float, 2) *v, const VEC(int, 4) &w) {
  A[1] = v[0];
}
