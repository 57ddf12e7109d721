// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  if (i < w) s = in[i] + in[i * 2] + in[0] + in[i + 1];
  if (i < w) out[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float in_tile[65];
  const int block_x = blockIdx.x * 64;
  const int first_x = 0;
  const int last_x = min(63, w - 1 - block_x);
  for (int t = threadIdx.x; t < 65; t += 64) {
    const int tile_x = t;
    const int i = blockIdx.x * blockDim.x + tile_x;
    if (first_x <= last_x && (tile_x >= first_x && tile_x <= last_x + 1)) in_tile[t] = in[i];
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  if (i < w) s = in_tile[threadIdx.x] + in[i * 2] + in[0] + in_tile[threadIdx.x + 1];
  if (i < w) out[i] = s;
}
//== launch block=64,1,1
