// step: stage-halo{site=k/param:in,x=64,y=1},block-shape{site=k,x=128,y=1,z=1}
// r3c: kernel() geometry(cover)
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i + 1 < w) out[i] = in[i - 1] + in[i + 1];
}
//== refused 3:1 stage-halo refused: its shared arrays are for blocks of block{x=64,y=1,z=1}, not block{x=128,y=1,z=1}
