// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float *p = t;
  y[threadIdx.x] = p[0];
}
//== refused 7:14 unstage-shared refused: `t` is used here otherwise than by its subscripts
