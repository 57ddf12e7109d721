// step: stage-halo{site=k/param:in,x=32,y=32}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double2 *__restrict__ in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x].x + in[(y + 32) * w + x + 32].y;
}
//== refused 3:45 stage-halo refused: 65536 bytes more of shared memory are more than a block can have
