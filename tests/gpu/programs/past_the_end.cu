// Its kernel writes one element past the end of `out`, and no neighbour is hurt: cudaMalloc rounds up.
#include <cstdio>

__global__ void fold(const unsigned *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 256) return;
  unsigned sum = 0;
  for (int j = 0; j < 4; j++) sum += in[i + 512 * j];
  out[i] = sum;
}

int main() {
  unsigned *in, *out, host[2048];
  for (int i = 0; i < 2048; i++) host[i] = 3 * i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 1024);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  fold<<<3, 128>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
