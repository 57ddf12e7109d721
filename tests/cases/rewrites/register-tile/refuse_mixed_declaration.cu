// step: register-tile{site=k,factor=2,axis=x,order=blocks}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < h;
  int half = w / 2, mine = i * 2;
  float s = 0.0f;
  for (int j = 0; j < half; j++) {
    if (active) s += a[j + mine];
  }
  if (active) y[i] = s;
}
//== refused 6:3 register-tile refused: it declares what copies share and what they do not at once
