// step: register-tile{site=k,factor=2,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  float s = 0.0f;
  for (int j = 0; j < w; j++) s += a[i * w + j];
  y[i] = s;
}
//== refused 5:15 register-tile refused: it returns early
// hint: guard-statements turns a return into a condition
