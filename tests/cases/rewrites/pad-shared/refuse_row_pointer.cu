// step: pad-shared{site=k/decl:t,pad=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32][32];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
  float *row = t[0];
  a[0] = row[1];
}
//== refused 8:16 pad-shared refused: `t` is used here without all its subscripts
