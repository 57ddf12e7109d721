// A profiler inside the application: CUPTI serves one tool of a process, and this one is there first.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <cstdlib>

__global__ void k(int *p) { p[threadIdx.x] = 1; }

static void nothing(void *, int, unsigned, const void *) {}

int main() {
  const char *path = getenv("R3C_CUPTI");
  void *cupti = path ? dlopen(path, RTLD_NOW) : nullptr;
  if (!cupti) return 77;
  auto subscribe = reinterpret_cast<int (*)(void **, void (*)(void *, int, unsigned, const void *), void *)>(
      dlsym(cupti, "cuptiSubscribe"));
  void *subscriber;
  if (subscribe(&subscriber, nothing, nullptr) != 0) return 77;
  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
