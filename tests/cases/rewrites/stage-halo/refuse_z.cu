// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (z < h && i >= 1 && i + 1 < w) out[z * w + i] = in[i - 1] + in[i + 1];
}
//== refused 3:1 stage-halo refused: the kernel uses the z axis
