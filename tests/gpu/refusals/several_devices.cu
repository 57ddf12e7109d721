// One launch on several devices, here on one, by the driver function that is there for it.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void k(int *p) { p[threadIdx.x] = 1; }

struct Part {
  CUfunction function;
  unsigned grid[3], block[3], shared_bytes;
  CUstream stream;
  void **parameters;
};

int main() {
  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto launch = reinterpret_cast<CUresult (*)(Part *, unsigned, unsigned)>(
      dlsym(driver, "cuLaunchCooperativeKernelMultiDevice"));
  if (!launch) return 77;
  cudaFunction_t function;
  cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(k));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  void *parameters[] = {&p};
  Part part = {reinterpret_cast<CUfunction>(function), {1, 1, 1}, {32, 1, 1}, 0, stream, parameters};
  if (launch(&part, 1, 0) == CUDA_ERROR_NOT_SUPPORTED) return 77;
  return cudaDeviceSynchronize();
}
