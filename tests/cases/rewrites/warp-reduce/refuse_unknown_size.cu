// step: warp-reduce{site=k/loop:s}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  extern __shared__ float part[];
  int tid = threadIdx.x;
  if (tid < n) part[tid] = in[tid];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
//== refused 4:27 warp-reduce refused: `part` is not known to have an element for each thread of a warp
