// step: launch-bounds{site=k,threads=1024,blocks=0}
// r3c: kernel()
__global__ void __launch_bounds__(1024) k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 3:17 launch-bounds refused: the kernel already has it
