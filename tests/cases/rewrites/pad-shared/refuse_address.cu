// step: pad-shared{site=k/decl:t,pad=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32][32];
  t[threadIdx.y][threadIdx.x] = a[n];
  __syncthreads();
  a[n] = t[threadIdx.x][threadIdx.y];
  float *p = &t[0][0];
  a[0] = p[40];
}
//== refused 8:14 pad-shared refused: the layout of `t` matters here
