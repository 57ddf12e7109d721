__global__ void k(int *a, float *x, int n) {
  for (;;) break;
  for (int i = 0, j = n; i < j; ++i, --j) a[i] = j;
  for (n = 3; n--;) ;
  for (auto v : list) use(v);
  for (const auto &[key, value] : table) use(key);
  for (int i = threadIdx.x; i < n; i += blockDim.x) { a[i] = i; }
}
