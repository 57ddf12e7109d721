template <typename T = float, int N = 4, bool B = (N > 2), class U = V<T>>
__global__ void k(T *p) { p[0] = N; }
template <template <class, int> class V, enum Mode mode, float (*op)(float, float)>
__global__ void l() {}
template <>
__global__ void k<int, 3>(int *p) {}
