// step: async-copy{site=k/loop:first,stages=3}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, const float4 *__restrict__ b, int n, int m) {
  __shared__ double tile[2][32];
  __shared__ float4 other[32];
  double s = 0.0;
  for (int row = 0; row < m; row++) {
    for (int first = m; first < n - 1; first += 32) {
      __syncthreads();
      for (int t = threadIdx.x; t < 64; t += blockDim.x) {
        const int at = first + t % 32;
        if (at < n - 1) tile[t / 32][t % 32] = a[row * n + at];
      }
      for (int t = threadIdx.x; t < 32 && first + t < n - 1; t += blockDim.x) other[t] = b[first + t];
      __syncthreads();
      for (int j = 0; j < 32 && first + j < n - 1; j++) {
        s += tile[0][j] * tile[1][j] + other[j].x;
      }
    }
  }
  out[threadIdx.x] = s;
}
//== expect
#include <cuda_pipeline.h>
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, const float4 *__restrict__ b, int n, int m) {
  __shared__ double tile[3][2][32];
  __shared__ float4 other[3][32];
  double s = 0.0;
  for (int row = 0; row < m; row++) {
    __syncthreads();
    for (int stage = 0; stage < 2; stage++) {
      const int ahead = m + stage * 32;
      if (ahead < (n - 1)) {
        for (int t = threadIdx.x; t < 64; t += blockDim.x) {
          const int at = ahead + t % 32;
          if (at < n - 1) __pipeline_memcpy_async(&tile[stage][t / 32][t % 32], &a[row * n + at], sizeof(double));
        }
        for (int t = threadIdx.x; t < 32 && ahead + t < n - 1; t += blockDim.x) __pipeline_memcpy_async(&other[stage][t], &b[ahead + t], sizeof(float4));
      }
      __pipeline_commit();
    }
    for (int first = m; first < n - 1; first += 32) {
      const int stage = (first - m) / 32 % 3;
      const int ahead = first + 64;
      __pipeline_wait_prior(1);
      __syncthreads();
      if (ahead < (n - 1)) {
        const int next = (stage + 2) % 3;
        for (int t = threadIdx.x; t < 64; t += blockDim.x) {
          const int at = ahead + t % 32;
          if (at < n - 1) __pipeline_memcpy_async(&tile[next][t / 32][t % 32], &a[row * n + at], sizeof(double));
        }
        for (int t = threadIdx.x; t < 32 && ahead + t < n - 1; t += blockDim.x) __pipeline_memcpy_async(&other[next][t], &b[ahead + t], sizeof(float4));
      }
      __pipeline_commit();
      for (int j = 0; j < 32 && first + j < n - 1; j++) {
        s += tile[stage][0][j] * tile[stage][1][j] + other[stage][j].x;
      }
    }
  }
  out[threadIdx.x] = s;
}
