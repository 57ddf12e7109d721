// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x] * 2.0f;
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
//== refused 5:3 unstage-shared refused: what is put here is no copy of an element of an array
