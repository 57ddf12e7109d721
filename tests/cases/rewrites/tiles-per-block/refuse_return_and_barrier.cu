// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  t[threadIdx.x] = a[i];
  __syncthreads();
  y[i] = t[63 - threadIdx.x];
}
//== refused 6:15 tiles-per-block refused: a thread that returns here would be missed by those that wait for it
