// step: async-copy{site=k/loop:first,stages=2}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[j];
  }
  out[threadIdx.x] = s;
}
//== expect
#include <cuda_pipeline.h>
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  __shared__ float tile[2][64];
  float s = 0.0f;
  for (int stage = 0; stage < 1; stage++) {
    const int ahead = 0 + stage * 64;
    if (ahead < n) {
      for (int t = threadIdx.x; t < 64 && ahead + t < n; t += blockDim.x) __pipeline_memcpy_async(&tile[stage][t], &a[ahead + t], sizeof(float));
    }
    __pipeline_commit();
  }
  for (int first = 0; first < n; first += 64) {
    const int stage = (first - 0) / 64 % 2;
    const int ahead = first + 64;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (ahead < n) {
      const int next = (stage + 1) % 2;
      for (int t = threadIdx.x; t < 64 && ahead + t < n; t += blockDim.x) __pipeline_memcpy_async(&tile[next][t], &a[ahead + t], sizeof(float));
    }
    __pipeline_commit();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[stage][j];
  }
  out[threadIdx.x] = s;
}
