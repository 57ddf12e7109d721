// step: block-order{site=k,order=zxy}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[(blockIdx.z * n + blockIdx.y) * n + blockIdx.x] = threadIdx.x;
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  const unsigned int block_number = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned int block_z = block_number % gridDim.z;
  const unsigned int block_x = block_number / gridDim.z % gridDim.x;
  const unsigned int block_y = block_number / gridDim.z / gridDim.x;
  a[(block_z * n + block_y) * n + block_x] = threadIdx.x;
}
