// step: launch-bounds{site=k,threads=128,blocks=0} @ block{x=256,y=1,z=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 3:1 launch-bounds refused: the candidate launches 256 threads a block
