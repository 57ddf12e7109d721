// step: unstage-shared{site=k/decl:t}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  atomicAdd(&t[0], 1.0f);
}
//== refused 7:14 unstage-shared refused: what this does with `t` is not known
