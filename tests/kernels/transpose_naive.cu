// launch: 3,3 x 16,16
// arg: float* out 1600
// arg: float* in 1600
// arg: int n 40
// r3c: kernel()
__global__ void transpose_naive(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    out[x * n + y] = in[y * n + x];
  }
}
