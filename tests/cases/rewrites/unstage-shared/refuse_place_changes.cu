// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    y[k * 64 + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}
//== refused 6:5 unstage-shared refused: the place of the copy is not made of the place in the tile
