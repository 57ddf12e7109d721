// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const Cell *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w) out[i] = in[i].v + in[i + 1].v;
}
//== refused 3:44 stage-halo refused: `in` does not lead to numbers
