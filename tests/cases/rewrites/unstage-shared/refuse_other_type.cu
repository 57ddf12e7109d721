// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ double t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
//== refused 5:20 unstage-shared refused: the tile has another type than what is put here
