// launch: 4 x 64
// arg: float* out 256
// arg: float* a 4096
// arg: float* b 4096
// arg: int n 4000
// steps: row-to-warp{site=dots,block=64},split-reduction{site=dots/loop:k,ways=2}
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void dots(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= 40) return;
  float s = 0.0f;
  for (int k = 0; k < 100; k++) {
    s += a[row * 100 + k] * b[row * 100 + k];
  }
  out[row] = s;
}
//== hand block=64,1,1 threads_per_index=32,1,1
__global__ void dots(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  const int lane = threadIdx.x & 31, row = (blockIdx.x * 64 + threadIdx.x) >> 5;
  if (row >= 40) return;
  float sum = 0.0f, even = 0, odd = 0;
  const int at = row * 100;
  int k = lane;
  for (; k < 68; k += 64) {
    even += a[at + k] * b[at + k];
    odd += a[at + k + 32] * b[at + k + 32];
  }
  even += odd;
  for (; k < 100; k += 32) even += a[at + k] * b[at + k];
  for (int apart = 16; apart > 0; apart >>= 1) even += __shfl_xor_sync(0xffffffffu, even, apart);
  sum += even;
  if (lane == 0) out[row] = sum;
  __syncwarp();
}
