// step: const-restrict{site=k/param:a}
__device__ void act(int i);
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) act(i);
}
//== refused 6:14 const-restrict refused: this may reach the memory of `a`
