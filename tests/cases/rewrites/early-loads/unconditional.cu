// step: early-loads{site=k/loop:j,most=4}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    t[threadIdx.x] = a[j * 64 + threadIdx.x];
    __syncthreads();
    s += t[63 - threadIdx.x] * b[j];
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
    const float b_early = b[j];
    t[threadIdx.x] = a[j * 64 + threadIdx.x];
    __syncthreads();
    s += t[63 - threadIdx.x] * b_early;
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
