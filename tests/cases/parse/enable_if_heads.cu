template <class T, typename std::enable_if<std::is_same<T, half>::value, int>::type = 0>
__global__ void k(T *p) {}
template <class T>
__global__ std::enable_if_t<uses_argument<T>(), void> l(T t) {}
