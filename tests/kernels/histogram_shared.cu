// launch: 4 x 128
// arg: unsigned* bins 64
// arg: unsigned* data 1000 below 64
// arg: int n 1000
#define BINS 64
// r3c: kernel()
__global__ void histogram_shared(unsigned int *bins, const unsigned int *data, int n) {
  __shared__ unsigned int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&local[data[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    atomicAdd(&bins[b], local[b]);
  }
}
