__global__ void k(int *a, float *x, int n) {
  typedef float real;
  using V = float4;
  using namespace cooperative_groups;
  namespace cg = cooperative_groups;
  static_assert(sizeof(V) == 16, "four floats");
  real r = 1;
  V v;
}
