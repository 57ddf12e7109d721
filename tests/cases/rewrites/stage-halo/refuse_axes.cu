// step: stage-halo{site=k/param:in,x=32,y=8}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1];
}
//== refused 3:1 stage-halo refused: 32 x 8 threads do not fit the axes that the kernel uses
