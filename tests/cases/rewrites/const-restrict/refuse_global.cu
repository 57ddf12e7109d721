// step: const-restrict{site=k/param:a}
__device__ float table[4];
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = table[0];
}
//== refused 6:21 const-restrict refused: this may reach the memory of `a`
