// step: coarsen{site=k,factor=2,axis=x,order=strided}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (unsigned int part = 0; part < 2; part++) {
    int i = (blockIdx.x + part * gridDim.x) * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 0.0f;
  }
}
//== launch indices_per_thread=2,1,1
