// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = t[63 - threadIdx.x];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  for (int turn = 0; turn < 4; turn++) {
    const unsigned int tile = blockIdx.x * 4 + turn;
    int i = tile * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = t[63 - threadIdx.x];
    __syncthreads();
  }
}
//== launch indices_per_thread=4,1,1
