// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  const float *p = a + n;
  t[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
//== refused 6:20 unstage-shared refused: what is put here does not come from where a parameter leads to
