// step: pad-shared{site=k/decl:t,pad=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32][32];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32][32 + 1];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
}
