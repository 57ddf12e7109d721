template <class T>
  requires std::is_integral_v<T> && (sizeof(T) > 2)
__global__ void k(T *p) { p[0] = 1; }
