// launch: 4 x 128
// arg: unsigned* bins 16
// arg: unsigned* data 500 below 16
// arg: int n 500
// r3c: kernel()
__global__ void histogram_global(unsigned int *bins, const unsigned int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}
