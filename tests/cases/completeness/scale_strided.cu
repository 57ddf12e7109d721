// launch: 8 x 128
// arg: float* out 1000
// arg: float* in 1000
// arg: int n 1000
// steps: const-restrict{site=scale/param:in},read-only-loads{site=scale/param:in},coarsen{site=scale,factor=4,axis=x,order=strided}
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void scale(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 0.5f;
}
//== hand indices_per_thread=4,1,1
__global__ void scale(float *out, const float *__restrict__ in, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  for (int i = first; i < first + 4 * stride; i += stride) {
    if (i < n) out[i] = __ldg(&in[i]) * 0.5f;
  }
}
