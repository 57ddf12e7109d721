__global__ void k(int *a, float *x, int n) {
  x[0] = static_cast<float>(n);
  reinterpret_cast<float4 *>(x)[n] = reinterpret_cast<const float4 *>(a)[0];
  int *p = const_cast<int *>(a);
}
