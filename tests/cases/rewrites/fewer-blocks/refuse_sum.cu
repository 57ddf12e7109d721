// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += a[i];
  atomicAdd(y, s);
}
//== refused 6:3 fewer-blocks refused: this is written once a thread, and there would be fewer threads
