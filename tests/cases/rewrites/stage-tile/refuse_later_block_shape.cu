// step: stage-tile{site=k/loop:k,size=32,x=64,y=1},block-shape{site=k,x=128,y=1,z=1}
// r3c: kernel() geometry(cover)
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[k] * i;
  }
  if (active) c[i] = s;
}
//== refused 3:1 stage-tile refused: its shared arrays are for blocks of block{x=64,y=1,z=1}, not block{x=128,y=1,z=1}
