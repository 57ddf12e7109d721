// step: stage-shared{site=k/loop:j,size=128}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += a[j];
  }
  out[threadIdx.x] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  __shared__ float a_tile[128];
  for (int j_tile = 0; j_tile < n; j_tile += 128) {
    __syncthreads();
    for (int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); t < 128 && j_tile + t < n; t += blockDim.x * blockDim.y * blockDim.z) {
      a_tile[t] = a[(j_tile + t)];
    }
    __syncthreads();
    for (int j = j_tile; j < n && j < j_tile + 128; j++) {
      s += a_tile[j - j_tile];
    }
  }
  out[threadIdx.x] = s;
}
