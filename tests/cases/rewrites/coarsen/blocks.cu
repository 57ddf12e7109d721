// step: coarsen{site=k,factor=4,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (unsigned int part = 0; part < 4; part++) {
    int i = (blockIdx.x * 4 + part) * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 0.0f;
  }
}
//== launch indices_per_thread=4,1,1
