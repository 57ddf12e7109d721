// Histogram of bytes: each block counts in shared memory and merges its counts at the end.
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

#define BINS 256
#define THREADS 256

// r3c: kernel
// r3c: buffer(data, in) buffer(counts, inout)
__global__ void histogram(const unsigned char *data, unsigned int *counts, int n) {
  __shared__ unsigned int local[BINS];
  // r3c: loop(clear)
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) local[bin] = 0;
  __syncthreads();
  // r3c: loop(count)
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    atomicAdd(&local[data[i]], 1u);
  }
  __syncthreads();
  // r3c: loop(merge)
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
    if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
  const int repeats = argc > 2 ? atoi(argv[2]) : 4;
  std::vector<unsigned char> data(n);
  for (int i = 0; i < n; i++) data[i] = (unsigned char)((i * 2654435761u >> 13) % 251 * (i % 3 + 1) % 256);
  unsigned char *d_data;
  unsigned int *d_counts;
  CHECK(cudaMalloc(&d_data, n));
  CHECK(cudaMalloc(&d_counts, BINS * sizeof(unsigned int)));
  CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_counts, 0, BINS * sizeof(unsigned int)));

  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  CHECK(cudaEventRecord(first));
  for (int r = 0; r < repeats; r++) {
    histogram<<<16, THREADS>>>(d_data, d_counts, n - 100 * r);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(last));
  CHECK(cudaEventSynchronize(last));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, first, last));
  std::vector<unsigned int> counts(BINS), expected(BINS, 0);
  CHECK(cudaMemcpy(counts.data(), d_counts, BINS * sizeof(unsigned int), cudaMemcpyDeviceToHost));

  for (int r = 0; r < repeats; r++)
    for (int i = 0; i < n - 100 * r; i++) expected[data[i]]++;
  unsigned long long weighted = 0;
  bool right = true;
  for (int bin = 0; bin < BINS; bin++) {
    weighted += (unsigned long long)counts[bin] * (bin + 1);
    right = right && counts[bin] == expected[bin];
  }
  printf("histogram %d bytes, %d passes\n", n, repeats);
  printf("weighted %llu first %u last %u\n", weighted, counts[0], counts[BINS - 1]);
  printf("%s\n", right ? "PASS" : "FAIL");
  printf("time %.3f ms\n", ms);
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(d_counts));
  return right ? 0 : 1;
}
