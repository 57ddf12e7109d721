// Dot product of two long vectors: each warp reduces with shuffles, each block adds its part atomically.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));     \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

#define THREADS 256

// r3c: kernel(rtol=1e-4, atol=1e-3)
// r3c: buffer(x, in) buffer(y, in) buffer(result, inout)
__global__ void dot(const float *x, const float *y, float *result, int n) {
  __shared__ float parts[THREADS / 32];
  float sum = 0.0f;
  // r3c: loop(elements)
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    sum += x[i] * y[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    // r3c: loop(warps)
    for (int w = 0; w < THREADS / 32; w++) total += parts[w];
    atomicAdd(result, total);
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
  const int repeats = argc > 2 ? atoi(argv[2]) : 4;
  const int blocks = 32;
  std::vector<float> x(n), y(n), results(repeats);
  for (int i = 0; i < n; i++) {
    x[i] = (float)((i * 2654435761u >> 8) % 1000) / 1000.0f;
    y[i] = (float)((i * 40503u >> 4) % 1000) / 1000.0f - 0.25f;
  }
  float *dx, *dy, *dr;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc(&dy, n * sizeof(float)));
  CHECK(cudaMalloc(&dr, repeats * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dr, 0, repeats * sizeof(float)));

  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  CHECK(cudaEventRecord(first));
  for (int r = 0; r < repeats; r++) {
    dot<<<blocks, THREADS>>>(dx, dy, dr + r, n - 1000 * r);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(last));
  CHECK(cudaEventSynchronize(last));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, first, last));
  CHECK(cudaMemcpy(results.data(), dr, repeats * sizeof(float), cudaMemcpyDeviceToHost));

  bool right = true;
  printf("reduction %d elements, %d products\n", n, repeats);
  for (int r = 0; r < repeats; r++) {
    double expected = 0.0;
    for (int i = 0; i < n - 1000 * r; i++) expected += (double)x[i] * y[i];
    right = right && std::fabs(results[r] - expected) < 1e-3 * std::fabs(expected) + 1e-2;
    printf("dot %d %.2f\n", r, results[r]);
  }
  printf("%s\n", right ? "PASS" : "FAIL");
  printf("time %.3f ms\n", ms);
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  CHECK(cudaFree(dr));
  return right ? 0 : 1;
}
