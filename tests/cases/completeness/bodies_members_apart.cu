// launch: 2 x 64
// arg: float* out 128
// arg: float* in 512
// arg: int n 128
// steps: split-structs{site=pull/decl:tile}
// r3c: kernel(rtol=1e-5, atol=1e-5)
__global__ void pull(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float4 tile[64];
  const float4 *__restrict__ bodies = (const float4 *)in;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = bodies[i];
  __syncthreads();
  float s = 0.0f;
  for (int j = 0; j < 64; j++) s += tile[j].x * tile[j].w;
  out[i] = s;
}
//== hand
__global__ void pull(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float x[64];
  __shared__ float y[64];
  __shared__ float z[64];
  __shared__ float mass[64];
  const float4 *__restrict__ all = (const float4 *)in;
  const int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  x[me] = all[i].x;
  y[me] = all[i].y;
  z[me] = all[i].z;
  mass[me] = all[i].w;
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 64; j++) sum += x[j] * mass[j];
  out[i] = sum;
}
