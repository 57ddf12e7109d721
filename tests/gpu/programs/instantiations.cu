// One template, three kernels with the same launch shape and arguments.
template <typename T, int STEP>
__global__ void step(T *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += static_cast<T>(STEP) / 2;
}

int main() {
  void *data;
  cudaMalloc(&data, 8 * 1024);
  cudaMemset(data, 0, 8 * 1024);
  for (int i = 0; i < 3; i++) {
    step<int, 8><<<4, 256>>>(static_cast<int *>(data));
    step<float, 8><<<4, 256>>>(static_cast<float *>(data));
    step<float, 3><<<4, 256>>>(static_cast<float *>(data));
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
