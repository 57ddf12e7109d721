__global__ void later(int *p);
template <class T> __global__ void other(T *p);
extern __global__ void third();
