// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float4 *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  for (int k = 0; k < n; k++) {
    float w = active ? a[k].w : 0;
    if (active) s += a[k].x + a[k].y * w;
  }
  if (active) c[i] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float4 *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool active = i < n;
  float s = 0.0f;
  __shared__ float4 a_tile[32];
  for (int k_tile = 0; k_tile < n; k_tile += 32) {
    __syncthreads();
    for (int t = threadIdx.x; t < 32; t += 64) {
      const int k = k_tile + t;
      const int i = blockIdx.x * blockDim.x + 0;
      if (k < n && i < n) a_tile[t] = a[k];
    }
    __syncthreads();
    for (int k = k_tile; k < n && k < k_tile + 32; k++) {
      float w = active ? a_tile[k - k_tile].w : 0;
      if (active) s += a_tile[k - k_tile].x + a_tile[k - k_tile].y * w;
    }
  }
  if (active) c[i] = s;
}
//== launch block=64,1,1
