// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (s > 1.0f) break;
    if (active) s += a[k];
  }
  if (active) c[i] = s;
}
//== refused 8:19 stage-tile refused: the loop body leaves early with `break`
