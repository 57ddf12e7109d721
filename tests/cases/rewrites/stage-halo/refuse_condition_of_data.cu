// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w && out[i] > 0.0f) out[i] = in[i] + in[i + 1];
}
//== refused 3:44 stage-halo refused: no two loads of `in` lie at fixed distances from each other under the same simple check
