// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  const bool active = i < n && z < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    if (active) s += a[k];
  }
  if (active) c[z * n + i] = s;
}
//== refused 3:1 stage-tile refused: the kernel uses the z axis
