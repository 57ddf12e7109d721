// step: block-shape{site=k,x=1024,y=2,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 3:1 block-shape refused: 1024 x 2 x 1 threads are not 1 to 1024
