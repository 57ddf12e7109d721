// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[63 - threadIdx.x] = t[threadIdx.x];
}
//== refused 7:3 unstage-shared refused: this may write what `y[threadIdx.x]` reads
