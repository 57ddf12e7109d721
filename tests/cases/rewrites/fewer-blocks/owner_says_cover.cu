// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel(rtol=1e-5), geometry(cover)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += a[i];
  atomicAdd(y, s);
}
//== expect
// r3c: kernel(rtol=1e-5), geometry(cover)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += a[i];
  atomicAdd(y, s);
}
//== launch indices_per_thread=4,1,1
