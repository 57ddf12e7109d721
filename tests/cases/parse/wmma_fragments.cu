__global__ void k(int *a, float *x, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half *)a, 16);
  wmma::mma_sync(acc, f, g, acc);
}
