// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  switch (n) {
    case 1: t[threadIdx.x] = a[threadIdx.x];
  }
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x];
}
//== refused 5:3 drop-barriers refused: the ways through the kernel are not followed past this
