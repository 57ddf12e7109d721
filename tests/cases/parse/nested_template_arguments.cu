__global__ void k(int *a, float *x, int n) {
  map<int, pair<int, vector<float>>> m;
  std::array<std::array<float, 4>, 4> t{};
  n = f<g<1>>(2) >> 3;
}
