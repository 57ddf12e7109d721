__global__ void k(int *a, float *x, int n) {
  x[0] = std::numeric_limits<float>::max();
  x[1] = ::ns::f<int>(n) + Acc<float>::zero();
  x[2] = Vec<4>{}.x + ns::Vec<4>::size;
}
