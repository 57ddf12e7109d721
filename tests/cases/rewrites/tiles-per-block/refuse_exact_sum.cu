// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  if (i < n) s = a[i];
  atomicAdd(y, s);
}
//== refused 5:9 tiles-per-block refused: the order in which `s` is summed up changes its rounding, and the contract asks for exact results
// hint: say kernel(rtol=...) where a small difference is acceptable
