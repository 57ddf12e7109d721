// step: warp-reduce{site=k/loop:s}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float part[16];
  int tid = threadIdx.x;
  part[tid] = in[blockIdx.x * 128 + tid];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
//== refused 4:20 warp-reduce refused: `part` is not known to have an element for each thread of a warp
