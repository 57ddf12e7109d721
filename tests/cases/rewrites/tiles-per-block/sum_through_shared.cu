// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float part[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  if (i < n) s = a[i] * a[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int apart = 32; apart > 0; apart /= 2) {
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(y, 0.5f * part[0]);
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float part[64];
  float s_sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    const unsigned int tile = blockIdx.x * 4 + turn;
    int i = tile * blockDim.x + threadIdx.x;
    float s = 0.0f;
    if (i < n) s = a[i] * a[i];
    s_sum += s;
  }
  float s = s_sum;
  part[threadIdx.x] = s;
  __syncthreads();
  for (int apart = 32; apart > 0; apart /= 2) {
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(y, 0.5f * part[0]);
}
//== launch indices_per_thread=4,1,1
