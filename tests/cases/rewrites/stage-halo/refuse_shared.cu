// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float half[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  half[threadIdx.x] = 0.5f;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1];
}
//== refused 4:20 stage-halo refused: shared memory `half` belongs to a block of one shape
