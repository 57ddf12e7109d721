// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  y[threadIdx.x] = t[threadIdx.x];
}
//== refused 4:20 unstage-shared refused: nothing is put into it
