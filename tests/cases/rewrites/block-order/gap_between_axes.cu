// step: block-order{site=k,order=zx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  a[blockIdx.z * n + x] = 1.0f;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  const unsigned int block_number = blockIdx.z * gridDim.x + blockIdx.x;
  const unsigned int block_z = block_number % gridDim.z;
  const unsigned int block_x = block_number / gridDim.z;
  int x = block_x * blockDim.x + threadIdx.x;
  a[block_z * n + x] = 1.0f;
}
