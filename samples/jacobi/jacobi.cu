// Heat in a square plate: Jacobi iterations of a five-point stencil until a number of steps is done.
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

// r3c: kernel(rtol=1e-5, atol=1e-6)
// r3c: buffer(in, in) buffer(out, inout) buffer(source, in)
// r3c: geometry(cover)
// r3c: tune(block_size_x: 16|32|64|128, block_size_y: 1|2|4|8|16)
// r3c: where(block_size_x * block_size_y <= 1024 && block_size_x * block_size_y >= 32)
__global__ void jacobi(const float *in, float *out, const float *source, int width, int height, int sweeps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  float heat = 0.0f;
  // r3c: loop(terms)
  for (int term = 0; term < sweeps; term++) {
    heat += source[y * width + x] / (1.0f + (float)term);
  }
  out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
                                in[(y + 1) * width + x]) + heat;
}

static void reference(const std::vector<float> &in, std::vector<float> &out, const std::vector<float> &source,
                      int width, int height, int sweeps) {
  for (int y = 1; y < height - 1; y++) {
    for (int x = 1; x < width - 1; x++) {
      float heat = 0.0f;
      for (int term = 0; term < sweeps; term++) heat += source[y * width + x] / (1.0f + (float)term);
      out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
                                    in[(y + 1) * width + x]) + heat;
    }
  }
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? atoi(argv[1]) : 256;
  const int steps = argc > 2 ? atoi(argv[2]) : 12;
  const int sweeps = 8;
  const size_t count = (size_t)size * size, bytes = count * sizeof(float);
  std::vector<float> plate(count), source(count), next;
  for (size_t i = 0; i < count; i++) {
    plate[i] = (float)(i * 2654435761u % 1000) / 1000.0f;
    source[i] = (float)(i * 40503u % 100) / 100000.0f;
  }
  next = plate;

  float *in, *out, *heat;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMalloc(&heat, bytes));
  CHECK(cudaMemcpy(in, plate.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(out, plate.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(heat, source.data(), bytes, cudaMemcpyHostToDevice));

  dim3 block(16, 16);
  dim3 grid((size + block.x - 1) / block.x, (size + block.y - 1) / block.y);
  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  CHECK(cudaEventRecord(first));
  for (int step = 0; step < steps; step++) {
    jacobi<<<grid, block>>>(in, out, heat, size, size, sweeps);
    CHECK(cudaGetLastError());
    float *swap = in;
    in = out;
    out = swap;
  }
  CHECK(cudaEventRecord(last));
  CHECK(cudaEventSynchronize(last));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, first, last));

  std::vector<float> result(count);
  CHECK(cudaMemcpy(result.data(), in, bytes, cudaMemcpyDeviceToHost));
  for (int step = 0; step < steps; step++) {
    reference(plate, next, source, size, size, sweeps);
    std::swap(plate, next);
  }
  double sum = 0.0, worst = 0.0;
  for (size_t i = 0; i < count; i++) {
    sum += result[i];
    worst = std::fmax(worst, std::fabs((double)result[i] - plate[i]));
  }
  printf("jacobi %d x %d, %d steps\n", size, size, steps);
  printf("sum %.4f centre %.6f\n", sum, result[count / 2 + size / 2]);
  printf("%s\n", worst < 1e-4 ? "PASS" : "FAIL");
  printf("time %.3f ms\n", ms);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(heat));
  return worst < 1e-4 ? 0 : 1;
}
