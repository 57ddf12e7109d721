#include "a/Pair.cuh"
#include <map>
__global__ void k(int *a, float *x, int n) {
  x[0] = Pair<int, float>(n).second;
}
