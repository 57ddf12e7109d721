// step: launch-bounds{site=k,threads=1024,blocks=4}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 3:1 launch-bounds refused: 4 blocks of 1024 threads do not fit a multiprocessor
