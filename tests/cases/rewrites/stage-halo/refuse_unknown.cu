// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1] + look(w);
}
//== refused 5:61 stage-halo refused: what this does is not known
