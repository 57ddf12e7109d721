// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k += 2) {
    if (active) s += a[k];
  }
  if (active) c[i] = s;
}
//== refused 7:3 stage-tile refused: it does not count in steps of 1 to below a bound
