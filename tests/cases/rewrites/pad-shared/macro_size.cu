// step: pad-shared{site=k/decl:t,pad=1}
#define TILE 32
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[TILE][TILE];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
}
//== expect
#define TILE 32
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[TILE][TILE + 1];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
}
