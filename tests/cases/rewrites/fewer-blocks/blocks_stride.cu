// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int r = blockIdx.x; r < n; r += gridDim.x) {
    for (int j = threadIdx.x; j < w; j += blockDim.x) y[r * w + j] = a[r * w + j];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int r = blockIdx.x; r < n; r += gridDim.x) {
    for (int j = threadIdx.x; j < w; j += blockDim.x) y[r * w + j] = a[r * w + j];
  }
}
//== launch indices_per_thread=4,1,1
