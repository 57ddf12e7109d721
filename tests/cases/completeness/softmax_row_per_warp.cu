// launch: 2 x 32
// arg: float* out 2000
// arg: float* in 2000
// arg: int rows 50
// arg: int cols 40
// steps: row-to-warp{site=softmax,block=128}
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void softmax(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float largest = in[row * cols];
  for (int j = 1; j < cols; j++) {
    largest = fmaxf(largest, in[row * cols + j]);
  }
  float total = 0.0f;
  for (int j = 0; j < cols; j++) {
    total += expf(in[row * cols + j] - largest);
  }
  for (int j = 0; j < cols; j++) {
    out[row * cols + j] = expf(in[row * cols + j] - largest) / total;
  }
}
//== hand block=128,1,1 threads_per_index=32,1,1
__global__ void softmax(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  const int lane = threadIdx.x & 31, row = (blockIdx.x * 128 + threadIdx.x) / 32;
  if (row >= rows) return;
  const int at = row * cols;
  float top = in[at];
  float best = top;
  for (int j = 1 + lane; j < cols; j += 32) best = fmaxf(best, in[at + j]);
  for (int d = 16; d; d /= 2) best = fmaxf(best, __shfl_xor_sync(~0u, best, d));
  top = best;
  float sum = 0.0f;
  float part = 0;
  for (int j = lane; j < cols; j += 32) part += expf(in[at + j] - top);
  for (int d = 16; d; d /= 2) part += __shfl_xor_sync(~0u, part, d);
  sum += part;
  for (int j = lane; j < cols; j += 32) out[at + j] = expf(in[at + j] - top) / sum;
  __syncwarp();
}
