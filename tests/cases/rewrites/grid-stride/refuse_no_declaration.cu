// step: grid-stride{site=k,factor=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) a[blockIdx.x * blockDim.x + threadIdx.x] = 0.0f;
}
//== refused 3:36 grid-stride refused: no declaration at the start of the kernel holds the index along x
