// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
// r3c: geometry(cover)
__global__ void k(float *a, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) a[i] = t[0];
}
//== expect
// r3c: kernel()
// r3c: geometry(cover)
__global__ void k(float *a, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) a[i] = t[0];
}
//== launch block=64,1,1
