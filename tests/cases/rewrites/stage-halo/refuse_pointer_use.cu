// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + 1;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1] + p[i];
}
//== refused 5:20 stage-halo refused: `in` is used here otherwise than by a subscript
