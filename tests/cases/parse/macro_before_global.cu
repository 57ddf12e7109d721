#define LB(n) __launch_bounds__(n)
template <class T> LB(256) __global__ void k(T *p) { p[0] = 0; }
KERNEL_API __global__ void l(int *p) { p[0] = 0; }
