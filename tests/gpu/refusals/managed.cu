// Managed memory, which both sides use.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void k(int *p) { p[threadIdx.x] += threadIdx.x; }

int main() {
  int *p;
  cudaMallocManaged(&p, 32 * sizeof(int));
  for (int i = 0; i < 32; i++) p[i] = 100;
  k<<<1, 32>>>(p);
  int status = cudaDeviceSynchronize();
  printf("%d\n", p[31]);
  return status;
}
