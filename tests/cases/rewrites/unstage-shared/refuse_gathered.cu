// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  int at = (int)a[threadIdx.x];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[at];
}
//== refused 8:22 unstage-shared refused: this subscript is not made of indices and parameters
