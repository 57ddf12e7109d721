// step: early-loads{site=k/loop:j,most=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    t[threadIdx.x] = a[j * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0 && j > 2) {
      s += t[threadIdx.x - 1] * b[j];
    } else {
      s += b[n + j] * t[0] + b[n + j];
    }
    s += j > 4 ? b[0] : 0.0f;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    float b_early = 0;
    float b_early_2 = 0;
    float b_early_3 = 0;
    if (threadIdx.x > 0 && j > 2) {
      b_early = b[j];
    }
    if (!(threadIdx.x > 0 && j > 2)) {
      b_early_2 = b[n + j];
    }
    if (j > 4) {
      b_early_3 = b[0];
    }
    t[threadIdx.x] = a[j * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0 && j > 2) {
      s += t[threadIdx.x - 1] * b_early;
    } else {
      s += b_early_2 * t[0] + b_early_2;
    }
    s += j > 4 ? b_early_3 : 0.0f;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
