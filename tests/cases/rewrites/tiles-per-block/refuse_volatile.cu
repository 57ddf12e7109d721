// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float v = 0.0f;
  if (i < n) y[i] = v;
}
//== refused 5:18 tiles-per-block refused: `v` is volatile
