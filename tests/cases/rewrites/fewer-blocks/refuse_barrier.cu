// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a[i];
  __syncthreads();
}
//== refused 5:3 fewer-blocks refused: what this does is not known, or waits for other threads
