// step: pad-shared{site=k/decl:t,pad=1}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ float t[32];
  t[threadIdx.x] = a[n];
}
//== refused 4:20 pad-shared refused: `t` does not have two dimensions or more
