// A pointer to a variable of the module, kept in memory: the variable lies elsewhere in a rebuilt kernel.
#include <cuda_runtime.h>

__device__ int counter[32];

__global__ void k(int **p) { (*p)[threadIdx.x] += counter[0] + 1; }

int main() {
  void *address;
  cudaGetSymbolAddress(&address, counter);
  int **p;
  cudaMalloc(&p, sizeof(int *));
  cudaMemcpy(p, &address, sizeof address, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
