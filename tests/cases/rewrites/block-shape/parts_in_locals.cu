// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int t = threadIdx.x;
  int b = blockIdx.x * blockDim.x;
  int i = b + t;
  if (i < n) a[i] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  int t = threadIdx.x;
  int b = blockIdx.x * blockDim.x;
  int i = b + t;
  if (i < n) a[i] = 0.0f;
}
//== launch block=64,1,1
