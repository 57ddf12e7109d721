// Memory that the kernel allocates itself lies in no allocation of the application.
#include <cuda_runtime.h>

__global__ void k(int **p) { p[threadIdx.x] = new int[4]; }

int main() {
  int **p;
  cudaMalloc(&p, 32 * sizeof(int *));
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
