// Square matrix product with tiles in shared memory, as in every introduction to CUDA.
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

// r3c: tune(TILE: 8|16|32)
#define TILE 16

// r3c: kernel(rtol=1e-5, atol=1e-5)
// r3c: buffer(a, in) buffer(b, in) buffer(c, out)
// r3c: geometry(cover)
// r3c: tune(block_size_x: 8|16|32, block_size_y: 8|16|32)
// r3c: where(block_size_x == TILE && block_size_y == TILE)
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  // r3c: loop(tiles)
  for (int t = 0; t < n; t += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = t + threadIdx.y < n && col < n ? b[(t + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
    // r3c: loop(inner)
    for (int k = 0; k < TILE; k++) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 128;
  const int repeats = argc > 2 ? atoi(argv[2]) : 4;
  const size_t bytes = (size_t)n * n * sizeof(float);
  std::vector<float> a((size_t)n * n), b((size_t)n * n), c((size_t)n * n);
  for (size_t i = 0; i < a.size(); i++) {
    a[i] = (float)(i * 2654435761u % 2001) / 1000.0f - 1.0f;
    b[i] = (float)(i * 40503u % 2001) / 1000.0f - 1.0f;
  }
  float *da, *db, *dc;
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMalloc(&db, bytes));
  CHECK(cudaMalloc(&dc, bytes));
  CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  double checksum = 0.0;
  float ms = 0.0f;
  bool right = true;
  for (int r = 0; r < repeats; r++) {
    a[r] += 0.5f;
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(first));
    matmul<<<grid, block>>>(da, db, dc, n);
    CHECK(cudaEventRecord(last));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(last));
    float one = 0.0f;
    CHECK(cudaEventElapsedTime(&one, first, last));
    ms += one;
    CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < c.size(); i++) checksum += c[i] * (double)(i % 7);
    for (int probe = 0; probe < 64; probe++) {
      const int row = probe * 37 % n, col = probe * 53 % n;
      double expected = 0.0;
      for (int k = 0; k < n; k++) expected += (double)a[(size_t)row * n + k] * b[(size_t)k * n + col];
      right = right && std::fabs(c[(size_t)row * n + col] - expected) < 1e-3;
    }
  }
  printf("matmul %d, %d products\n", n, repeats);
  printf("checksum %.3f corner %.5f\n", checksum, c[0]);
  printf("%s\n", right ? "PASS" : "FAIL");
  printf("time %.3f ms\n", ms);
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  return right ? 0 : 1;
}
