// launch: 4 x 128
// arg: float* out 500
// arg: float* in 300
// arg: int* index 500 below 300
// arg: int n 500
// r3c: kernel()
__global__ void gather(float *out, const float *in, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[index[i]];
}
