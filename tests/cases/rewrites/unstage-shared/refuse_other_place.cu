// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  if (n > 3) t[threadIdx.x] = a[threadIdx.x + 1];
  __syncthreads();
  y[threadIdx.x] = t[63 - threadIdx.x];
}
//== refused 6:31 unstage-shared refused: other elements of `t` come from another place
