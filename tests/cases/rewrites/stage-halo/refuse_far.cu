// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w) out[i] = in[i] + in[i + 40];
}
//== refused 5:23 stage-halo refused: the halo is wider than 32
