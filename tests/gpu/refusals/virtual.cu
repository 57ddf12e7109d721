// Objects with virtual functions, made by one kernel and used by another: their tables hold addresses of code.
#include <cuda_runtime.h>
#include <new>

struct Shape {
  virtual __device__ int size(int x) { return x; }
};
struct Round : Shape {
  __device__ int size(int x) override { return 3 * x; }
};

__global__ void make(Round *shape) { new (shape) Round; }

__global__ void k(Shape *shape, int *p) { p[threadIdx.x] = shape->size(threadIdx.x); }

int main() {
  Round *shape;
  int *p;
  cudaMalloc(&shape, sizeof(Round));
  cudaMalloc(&p, 32 * sizeof(int));
  make<<<1, 1>>>(shape);
  k<<<1, 32>>>(shape, p);
  return cudaDeviceSynchronize();
}
