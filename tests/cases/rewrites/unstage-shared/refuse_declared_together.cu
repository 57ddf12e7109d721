// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64], s[64];
  t[threadIdx.x] = a[threadIdx.x];
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x] + s[threadIdx.x];
}
//== refused 4:20 unstage-shared refused: it is declared together with others
