// A kernel that launches another one.
#include <cuda_runtime.h>

__global__ void child(int *p) { p[threadIdx.x] = 1; }

__global__ void k(int *p) { child<<<1, 32>>>(p); }

int main() {
  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
