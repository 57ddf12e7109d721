template <class T> __constant__ T weights[8];
__global__ void k(int *a, float *x, int n) {
  x[0] = weights<float>[n] * is_same_v<int, long>;
}
