// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4 + i;
    a[at] = b[at] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  float b_wide[4];
  if ((size_t)&b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 0)] % 16 == 0) {
    const float4 whole = *(const float4 *)&b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 0)];
    b_wide[0] = whole.x;
    b_wide[1] = whole.y;
    b_wide[2] = whole.z;
    b_wide[3] = whole.w;
  } else {
    b_wide[0] = b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 0)];
    b_wide[1] = b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 1)];
    b_wide[2] = b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 2)];
    b_wide[3] = b[(int)((blockIdx.x * blockDim.x + threadIdx.x) * 4 + 3)];
  }
  for (int i = 0; i < 4; i++) {
    const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4 + i;
    a[at] = b_wide[i] * 2.0f;
  }
}
