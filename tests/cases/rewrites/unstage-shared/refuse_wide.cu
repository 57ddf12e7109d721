// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  long i = threadIdx.x;
  t[i] = a[i];
  __syncthreads();
  y[i] = t[63 - i];
}
//== refused 6:5 unstage-shared refused: `i` is no int
