// launch: 4 x 128
// arg: float* out 500
// arg: float* in 520
// arg: float* taps 4
// arg: int n 500
// steps: stage-halo{site=conv/param:in,x=128,y=1},unroll-full{site=conv/loop:t}
// r3c: kernel()
__global__ void conv(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ taps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int t = 0; t < 4; t++) {
    sum += in[i + t] * taps[t];
  }
  out[i] = sum;
}
//== hand block=128,1,1
__global__ void conv(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ taps, int n) {
  __shared__ float near[131];
  const int first = blockIdx.x * 128, i = first + threadIdx.x;
  for (int e = threadIdx.x; e < 131; e += 128)
    if (first + e < n + 3) near[e] = in[first + e];
  __syncthreads();
  if (i >= n) return;
  float acc = 0.0f;
  acc += near[threadIdx.x] * taps[0];
  acc += near[threadIdx.x + 1] * taps[1];
  acc += near[threadIdx.x + 2] * taps[2];
  acc += near[threadIdx.x + 3] * taps[3];
  out[i] = acc;
}
