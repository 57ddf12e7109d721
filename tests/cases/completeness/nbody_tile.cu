// launch: 2 x 64
// arg: float* out 100
// arg: float* pos 100
// arg: float* mass 100
// arg: int n 100
// steps: guard-statements{site=force},stage-tile{site=force/loop:j,size=32,x=64,y=1},rsqrt{site=force}
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void force(float *__restrict__ out, const float *__restrict__ pos, const float *__restrict__ mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = pos[i];
  float f = 0.0f;
  for (int j = 0; j < n; j++) {
    float d = pos[j] - own;
    float inv = 1.0f / sqrtf(d * d + 0.01f);
    f += mass[j] * d * inv * inv * inv;
  }
  out[i] = f;
}
//== hand block=64,1,1
__global__ void force(float *__restrict__ out, const float *__restrict__ pos, const float *__restrict__ mass, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool mine = i < n;
  const float here = mine ? pos[i] : 0;
  float sum = 0.0f;
  __shared__ float ps[32];
  __shared__ float ms[32];
  for (int first = 0; first < n; first += 32) {
    __syncthreads();
    for (int e = threadIdx.x; e < 32; e += 64)
      if (first + e < n) ps[e] = pos[first + e];
    for (int e = threadIdx.x; e < 32; e += 64)
      if (first + e < n) ms[e] = mass[first + e];
    __syncthreads();
    for (int j = 0; j < min(32, n - first); j++) {
      const float d = (mine ? ps[j] - here : 0);
      const float r = rsqrtf(d * d + 0.01f);
      if (mine) sum += ms[j] * d * r * r * r;
    }
  }
  if (mine) out[i] = sum;
}
