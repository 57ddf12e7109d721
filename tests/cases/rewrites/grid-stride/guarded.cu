// step: grid-stride{site=k,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (i < n) a[i] = 0.0f;
  }
}
//== launch indices_per_thread=4,1,1
