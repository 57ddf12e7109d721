// step: unstage-shared{site=k/decl:t}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[64];
  if (n > 3) t[threadIdx.x] = a[threadIdx.x];
  else y[0] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x];
}
//== refused 5:14 unstage-shared refused: something else depends on the condition of this copy
