template <typename T, typename U>
__global__ void k(T *p, U u) {
  p[0] = (T)(u) + (T)-u;
  p[1] = T(u) * (U)p[0];
}
