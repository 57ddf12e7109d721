// step: launch-bounds{site=k,threads=128,blocks=0} @ block{x=128,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void __launch_bounds__(128) k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== launch block=128,1,1
