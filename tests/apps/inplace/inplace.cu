#include <cstdio>
#include <vector>

#define ROWS 64
#define COLUMNS 40

// Each thread filters one row. `from` and `to` may be the same buffer: what was just written is then read again.
// r3c: kernel(rtol=1e-5)
__global__ void filter(const float *from, float *to, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *a = from + row * columns;
  float *b = to + row * columns;
  b[0] = a[0];
  for (int i = 1; i < columns; i++) b[i] = 0.5f * a[i - 1] + a[i];
}

int main() {
  std::vector<float> host(ROWS * COLUMNS);
  float *data, *other;
  cudaMalloc(&data, host.size() * sizeof(float));
  cudaMalloc(&other, host.size() * sizeof(float));
  for (int step = 0; step < 4; step++) {
    for (size_t i = 0; i < host.size(); i++) host[i] = (i * 7919 + step * 104729) % 1000 / 1000.0f;
    cudaMemcpy(data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
#ifdef OTHER_BUFFER
    filter<<<ROWS / 32, 32>>>(data, other, COLUMNS);
#else
    filter<<<ROWS / 32, 32>>>(data, data, COLUMNS);
#endif
  }
  cudaMemcpy(host.data(), data, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : host) sum += value;
  printf("sum %.4f\n", sum);
}
