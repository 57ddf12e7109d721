// launch: 4 x 128
// arg: int* total 1
// arg: int* in 500 below 100
// arg: int n 500
// r3c: kernel()
__global__ void reduce_shuffle(int *total, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}
