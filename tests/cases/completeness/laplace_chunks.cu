// launch: 3,3 x 16,16
// arg: float* out 16000
// arg: float* in 16000
// arg: int n 40
// arg: int depth 10
// steps: loop-to-grid{site=laplace/loop:k,chunks=4}
// r3c: kernel()
__global__ void laplace(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1) return;
  for (int k = 1; k < depth - 1; k++) {
    int at = (k * n + y) * n + x;
    out[at] = in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n] - 6.0f * in[at];
  }
}
//== hand threads_per_index=1,1,4
__global__ void laplace(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
  const int planes = (depth - 2 + 3) / 4, plane = n * n, from = 1 + (int)(blockIdx.z % 4) * planes;
  for (int k = from; k < min(from + planes, depth - 1); k++) {
    const int i = k * plane + y * n + x;
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane] - 6.0f * in[i];
  }
}
