// launch: 4 x 128
// arg: float* out 500
// arg: float* in 500
// arg: int* where 500 permutation
// arg: int n 500
// r3c: kernel()
__global__ void scatter(float *out, const float *in, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[where[i]] = in[i] * 2.0f;
}
