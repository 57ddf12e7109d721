// step: coarsen{site=k,factor=4,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) a[i] = t[0];
}
//== refused 7:3 coarsen refused: threads of a block work together here
