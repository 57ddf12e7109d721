// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *out, const float *in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1];
}
//== refused 5:28 stage-halo refused: this may write what `in` leads to
