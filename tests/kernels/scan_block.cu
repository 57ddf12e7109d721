// launch: 2 x 128
// arg: int* out 256
// arg: int* in 256 below 10
// r3c: kernel()
__global__ void scan_block(int *out, const int *in) {
  __shared__ int buffer[2][128];
  int tid = threadIdx.x;
  int g = blockIdx.x * 128 + tid;
  int from = 0;
  buffer[0][tid] = in[g];
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    int to = 1 - from;
    int value = buffer[from][tid];
    if (tid >= offset) value += buffer[from][tid - offset];
    buffer[to][tid] = value;
    from = to;
    __syncthreads();
  }
  out[g] = buffer[from][tid];
}
