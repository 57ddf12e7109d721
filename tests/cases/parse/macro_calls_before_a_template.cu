REGISTER(one)
REGISTER(two)
template <class T>
__global__ void k(T *p) { p[0] = 1; }
BEGIN_NAMESPACE
template <class T> __device__ T id(T t) { return t; }
