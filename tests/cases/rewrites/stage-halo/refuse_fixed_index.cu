// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1];
}
//== refused 5:7 stage-halo refused: the x index is used otherwise than as blockIdx * blockDim + threadIdx
