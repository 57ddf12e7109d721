// Launches that read 200 MiB, reached through a pointer in device memory, and change 4 MiB; 1 MiB is reached by nothing.
#include <cstdlib>

__global__ void add(float **tables, float *out, int n, int round) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] += tables[0][i * 50] + round;
}

int main() {
  const int n = 1 << 20;
  float *table, **tables, *out, *alone;
  float *host = static_cast<float *>(malloc(50 * n * sizeof(float)));
  for (int i = 0; i < 50 * n; i++) host[i] = i % 1013;
  cudaMalloc(&table, 50 * n * sizeof(float));
  cudaMalloc(&tables, sizeof(float *));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&alone, n);
  cudaMemcpy(table, host, 50 * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(tables, &table, sizeof table, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  for (int round = 0; round < 5; round++) add<<<256, 256>>>(tables, out, n, round);
  return cudaDeviceSynchronize() != cudaSuccess;
}
